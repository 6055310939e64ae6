import { Permission, ResourceType } from '../config/define-access.js';

export const GRANTED_PERMISSIONS = ['read', 'create', 'update', 'delete'] as const;
export type GrantedPermission = (typeof GRANTED_PERMISSIONS)[number];

/** Whether grants can give a permission: those of an application's own are given by roles alone. */
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
  /** Whether it is of the API key itself; else it is of the user, or of the key's owner. */
  readonly isOfKey: boolean;
}

export type Ids = ReadonlySet<number>;

/** The grants that bear on one principal: on an API key its own and its owner's, told apart. */
export class Grants {
  constructor(private readonly all: readonly Grant[] = []) {}

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  /** The resources of a type that are denied for a permission: a denied `read` denies every other permission too. */
  deniedIds(type: ResourceType, permission: GrantedPermission): Ids {
    return this.findIds(type, ({ effect, permissions }) => {
      return effect === 'deny' && (permissions.includes('read') || permissions.includes(permission));
    });
  }

  allowedIds(type: ResourceType, permission: GrantedPermission, toKey: boolean): Ids {
    return this.findIds(type, ({ effect, permissions, isOfKey }) => {
      return effect === 'allow' && isOfKey === toKey && permissions.includes(permission);
    });
  }

  private findIds(type: ResourceType, has: (grant: Grant) => boolean): Ids {
    const grants = this.all.filter((grant) => grant.resourceType === type && has(grant));
    return new Set(grants.map(({ resourceId }) => resourceId));
  }
}

export const NO_GRANTS = new Grants();
