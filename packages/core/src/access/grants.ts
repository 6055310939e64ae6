import { Permission, ResourceType } from '../config/define-access.js';

export const GRANTED_PERMISSIONS = ['read', 'create', 'update', 'delete'] as const;
export type GrantedPermission = (typeof GRANTED_PERMISSIONS)[number];

/** Whether grants can give a permission. Only roles can give the permissions that an application adds. */
export const isGrantable = (permission: Permission): permission is GrantedPermission =>
  GRANTED_PERMISSIONS.some((one) => one === permission);

export const PERMISSION_BY_METHOD: Readonly<Record<string, GrantedPermission>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
};

export const EFFECTS = ['allow', 'deny'] as const;
export type Effect = (typeof EFFECTS)[number];

export interface Grant {
  readonly resourceType: ResourceType;
  readonly resourceId: number;
  readonly permissions: readonly Permission[];
  readonly effect: Effect;
  /**
   * Whether the grant was given to the API key itself. If false, it was given to the user, or to the owner of the API
   * key.
   */
  readonly isOfKey: boolean;
}

export type Ids = ReadonlySet<number>;

/** The grants that apply to one principal. To an API key, both its own grants and those of its owner apply. */
export class Grants {
  constructor(private readonly all: readonly Grant[] = []) {}

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  /**
   * Returns the resources of a type for which a permission is denied. A denied `read` denies every other permission
   * too.
   */
  deniedIds(type: ResourceType, permission: GrantedPermission): Ids {
    return this.findIds(type, ({ effect, permissions }) => {
      return effect === 'deny' && (permissions.includes('read') || permissions.includes(permission));
    });
  }

  /**
   * Returns the ids of the resources of a type for which a permission is allowed.
   * @param toKey whether to use the grants to the API key itself. If false, the grants to the user are used
   */
  allowedIds(type: ResourceType, permission: GrantedPermission, toKey: boolean): Ids {
    return this.findIds(type, ({ effect, permissions, isOfKey }) => {
      return effect === 'allow' && isOfKey === toKey && permissions.includes(permission);
    });
  }

  /** Only the grants that deny. */
  get denials(): Grants {
    return new Grants(this.all.filter(({ effect }) => effect === 'deny'));
  }

  private findIds(type: ResourceType, has: (grant: Grant) => boolean): Ids {
    const grants = this.all.filter((grant) => grant.resourceType === type && has(grant));
    return new Set(grants.map(({ resourceId }) => resourceId));
  }
}

export const NO_GRANTS = new Grants();
