import { FastifyRequest } from 'fastify';

import { permissionDenied } from './access.errors.js';
import { GrantSource } from './grant-sources.js';
import { GrantedPermission, Grants, Ids } from './grants.js';
import { Permission, ResourceType } from '../config/define-access.js';
import { createRequestDecorator } from '../http/route-policy.js';
import { Principal } from './principal.js';
import { isInScope, AccessScope, resolveAccessScope } from './access-scope.js';

/**
 * Who calls a route, and what they may do there by role, API key and grants.
 * @example get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller) { return this.orders.get(id, caller); }
 */
export class Caller {
  constructor(
    readonly principal: Principal,
    /** The rows with which the caller may do what the route does: repositories take it, and judge each row by it. */
    readonly scope: AccessScope,
    private readonly grantSources: readonly GrantSource[],
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
    const { principal, grantSources, grants } = this;
    const rule = { isPublic: false, permission: needed } as const;
    const visibility = resolveAccessScope({
      principal,
      rule,
      permission,
      grantSources,
      params: {},
      grants,
      hasRow: true,
    });
    if (!isInScope(visibility, row)) throw permissionDenied(principal, needed, true);
  }

  /** The same caller with a role that is not the one of their credentials. */
  withPrincipal(principal: Principal): Caller {
    return new Caller(principal, this.scope, this.grantSources, this.grants, this.address);
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
export const CurrentPrincipal = createRequestDecorator(({ principal }) => principal);

/**
 * The `Caller` of a request: its principal, and the rows that the route may read or write for it.
 * @throws Error, answered 500, on a `@Public()` route without a caller
 * @example remove(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller) { … }
 */
export const CurrentUser = createRequestDecorator(({ principal, policy, grants, scope, ip }) => {
  if (!principal) throw new Error('@CurrentUser() belongs on a route that is not public');
  return new Caller(principal, scope, policy?.grants ?? [], grants, ip);
});

/**
 * Narrows a `@ListQuery()` to the caller's own rows; callers with the permission `unless` see everybody's.
 * @example list(@ListQuery(apiKeyList, { userId: ownRows('manage_users') }) query: ListQuery) { … }
 */
export function ownRows(unless?: Permission): (request: FastifyRequest) => number | undefined {
  return ({ principal }) => {
    const seesAll = unless !== undefined && principal?.permissions.has(unless);
    // No row belongs to 0.
    return seesAll ? undefined : (principal?.userId ?? 0);
  };
}
