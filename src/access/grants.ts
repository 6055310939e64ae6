import { Permission, ROLE_PERMISSIONS } from './permissions.js';
import { Principal } from './principal.js';

/** What grants can be about. A module whose resource is to have grants adds its type here. */
export const RESOURCE_TYPES = ['product', 'user', 'order', 'review'] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

export const GRANTED_PERMISSIONS = ['read', 'create', 'update', 'delete'] as const;
export type GrantedPermission = (typeof GRANTED_PERMISSIONS)[number];

export const EFFECTS = ['allow', 'deny'] as const;
export type Effect = (typeof EFFECTS)[number];

/** A grant as decisions need it. */
export interface Grant {
  readonly resourceType: ResourceType;
  readonly resourceId: number;
  readonly permissions: readonly Permission[];
  readonly effect: Effect;
  /** Whether it is of the API key itself; else it is of the user, or of the key's owner. */
  readonly isOfKey: boolean;
}

type Ids = ReadonlySet<number>;
const NO_IDS: Ids = new Set();

/**
 * The grants that bear on one principal, by what they say. A deny beats an allow, an allow beats the role. On an API
 * key bear its own and its owner's: a deny of either holds; what the key's own allow it may where its owner may.
 */
export class Grants {
  private readonly denied = new Map<string, Set<number>>();
  private readonly allowed = new Map<string, Set<number>>();
  private readonly allowedToKey = new Map<string, Set<number>>();

  constructor(readonly all: readonly Grant[] = []) {
    for (const { resourceType, resourceId, permissions, effect, isOfKey } of all) {
      const ids = effect === 'deny' ? this.denied : isOfKey ? this.allowedToKey : this.allowed;
      for (const permission of permissions) {
        const key = `${resourceType} ${permission}`;
        ids.set(key, (ids.get(key) ?? new Set()).add(resourceId));
      }
    }
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  /** The resources of a type of which a permission is denied. */
  deniedIds(type: ResourceType, permission: GrantedPermission): Ids {
    return this.denied.get(`${type} ${permission}`) ?? NO_IDS;
  }

  /** The resources of a type of which a permission is given beyond the role, those denied not among them. */
  allowedIds({ kind, role }: Principal, type: ResourceType, permission: GrantedPermission): Ids {
    const key = `${type} ${permission}`;
    const ofUser = this.allowed.get(key) ?? NO_IDS;
    const denied = this.denied.get(key) ?? NO_IDS;
    const isOwners = (id: number): boolean => ROLE_PERMISSIONS[role].has(permission) || ofUser.has(id);
    const ids =
      kind === 'api-key' ? [...(this.allowedToKey.get(key) ?? NO_IDS)].filter(isOwners) : [...ofUser];
    return new Set(ids.filter((id) => !denied.has(id)));
  }
}

export const NO_GRANTS = new Grants();
