import { denied } from './decision.js';
import { GrantLink } from './grant-links.js';
import { GrantedPermission, Grants, Ids, ResourceType } from './grants.js';
import { Permission } from './permissions.js';
import { Principal } from './principal.js';
import { isVisible, Visibility, visibilityOf } from './visibility.js';

/** The permissions of a caller, for services whose rules the route cannot declare. It knows role, key and grants. */
export class Access {
  constructor(
    readonly principal: Principal,
    /** The ways by which grants reach the resource of the route. */
    private readonly links: readonly GrantLink[],
    private readonly grants: Grants,
  ) {}

  /**
   * Asserts that role, key or grants let the caller do something with a row, whoever owns it.
   *
   * @param row with the properties that the route's grants name: `id`, `userId`
   * @param needed the permission that a role needs for it, where that is another one: `manage_users`
   * @throws ApiError `PERMISSION_DENIED`
   * @example access.authorize('update', order)
   */
  authorize(permission: GrantedPermission, row: object, needed: Permission = permission): void {
    if (!isVisible(this.visibilityFor(permission, needed), row)) throw denied(this.principal, needed, true);
  }

  /** The same for the caller with a role that is not the one of their credentials. */
  as(principal: Principal): Access {
    return new Access(principal, this.links, this.grants);
  }

  /** The resources of a type that grants hide from the caller. */
  hiddenIds(type: ResourceType): Ids {
    return this.grants.deniedIds(type, 'read');
  }

  private visibilityFor(permission: GrantedPermission, needed: Permission): Visibility {
    const { principal, links, grants } = this;
    const rule = {
      isPublic: false,
      permission: needed,
      isOpenToAnonymousRole: false,
      isForStaff: false,
      own: undefined,
    } as const;
    return visibilityOf({ principal, rule, permission, links, params: {}, grants, hasRow: true });
  }
}
