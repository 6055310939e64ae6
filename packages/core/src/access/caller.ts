import { FastifyRequest } from 'fastify';

import { denied } from './access.errors.js';
import { GrantLink } from './grant-links.js';
import { GrantedPermission, Grants, Ids } from './grants.js';
import { Permission, ResourceType } from '../config/define-access.js';
import { requestParameter } from '../http/route-policy.js';
import { Principal } from './principal.js';
import { isVisible, Visibility, visibilityOf } from './visibility.js';

/**
 * Who calls a route, and what they may do there by role, API key and grants.
 * @example get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller) { return this.orders.get(id, caller); }
 */
export class Caller {
  constructor(
    readonly principal: Principal,
    /** The rows with which the caller may do what the route does: repositories take it, and judge each row by it. */
    readonly visibility: Visibility,
    private readonly links: readonly GrantLink[],
    private readonly grants: Grants,
    /** The IP address that the request came from. */
    readonly address: string,
  ) {}

  /** The id of the user who calls, or whose API key does; without credentials 0, which is no user's. */
  get userId(): number {
    return this.principal.userId ?? 0;
  }

  /** Asserts that role, key or grants let the caller do something with a row. @param needed what a role needs for it */
  authorize(permission: GrantedPermission, row: object, needed: Permission = permission): void {
    const { principal, links, grants } = this;
    const rule = { isPublic: false, permission: needed } as const;
    const visibility = visibilityOf({ principal, rule, permission, links, params: {}, grants, hasRow: true });
    if (!isVisible(visibility, row)) throw denied(principal, needed, true);
  }

  /** The same caller with a role that is not the one of their credentials. */
  as(principal: Principal): Caller {
    return new Caller(principal, this.visibility, this.links, this.grants, this.address);
  }

  /** The resources of a type that grants hide from the caller. */
  hiddenIds(type: ResourceType): Ids {
    return this.grants.deniedIds(type, 'read');
  }
}

/**
 * The `Principal` of a request; `null` on a route that is open to everybody, without credentials.
 * @example create(@Body() body: CreateUserDto, @CurrentPrincipal() caller: Principal | null) { … }
 */
export const CurrentPrincipal = requestParameter(({ principal }) => principal);

/**
 * The `Caller` of a request: its principal, and the rows that the route may read or write for it.
 * @throws Error, answered 500, on a `@Public()` route without a caller
 * @example remove(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller) { … }
 */
export const CurrentUser = requestParameter(({ principal, policy, grants, visibility, ip }) => {
  if (!principal) throw new Error('@CurrentUser() belongs on a route that is not public');
  return new Caller(principal, visibility, policy?.grants ?? [], grants, ip);
});

/**
 * Narrows a `@ListQuery()` to the caller's own rows; callers with the permission `unless` see everybody's.
 * @example list(@ListQuery(apiKeyList, { userId: ofSelf('manage_users') }) query: ListQuery) { … }
 */
export function ofSelf(unless?: Permission): (request: FastifyRequest) => number | undefined {
  return ({ principal }) => {
    const seesAll = unless !== undefined && principal?.permissions.has(unless);
    // No row belongs to 0.
    return seesAll ? undefined : (principal?.userId ?? 0);
  };
}
