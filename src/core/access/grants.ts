import { Permission, ResourceType } from '../config/define-access.js';

export { RESOURCE_TYPES, type ResourceType } from '../config/define-access.js';

export const GRANTED_PERMISSIONS = ['read', 'create', 'update', 'delete'] as const;
export type GrantedPermission = (typeof GRANTED_PERMISSIONS)[number];

/** The permission that each method stands for. */
export const PERMISSION_OF: Readonly<Record<string, GrantedPermission>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
};

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

export type Ids = ReadonlySet<number>;
const NO_IDS: Ids = new Set();

/**
 * The grants that bear on one principal, by what they say: on an API key its own and its owner's, told apart.
 * `visibilityOf` decides by them.
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

  /** The resources of a type that are denied for a permission: what is hidden (`read`) is denied for all of them. */
  deniedIds(type: ResourceType, permission: GrantedPermission): Ids {
    const hidden = this.denied.get(`${type} read`) ?? NO_IDS;
    const denied = this.denied.get(`${type} ${permission}`) ?? NO_IDS;
    return permission === 'read' || denied.size === 0 ? hidden : new Set([...hidden, ...denied]);
  }

  /** The resources of a type on which a permission is given to the user, or to the owner of the key. */
  allowedIds(type: ResourceType, permission: GrantedPermission): Ids {
    return this.allowed.get(`${type} ${permission}`) ?? NO_IDS;
  }

  /** The resources of a type on which a permission is given to the API key itself. */
  idsAllowedToKey(type: ResourceType, permission: GrantedPermission): Ids {
    return this.allowedToKey.get(`${type} ${permission}`) ?? NO_IDS;
  }
}

export const NO_GRANTS = new Grants();
