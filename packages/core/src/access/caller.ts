import { FastifyRequest } from 'fastify';

import { permissionDenied } from './access.errors.js';
import { GrantSource } from './grant-sources.js';
import { GrantedPermission, Grants, Ids } from './grants.js';
import { Permission, ResourceType, STAFF_ROLES } from '../config/define-access.js';
import type { ResourceDefinition } from '../resources/resource.js';
import { createRequestDecorator } from '../routes/request.js';
import { Principal } from './principal.js';
import { RequirePermissionOptions } from './require-permission.decorator.js';
import { isInScope, AccessScope } from './access-scope.js';
import { resolveAccessScope } from './resolve-scope.js';
import { grantSourcesOf } from './row-limits.js';

/**
 * The caller of a route, and what their role, API key and grants permit there. `@CurrentUser()` passes a `Caller` to a
 * handler.
 * @example get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller) { return this.orders.get(id, caller); }
 */
export class Caller {
  constructor(
    readonly principal: Principal,
    /**
     * The rows on which the caller may perform the action of the route. Pass the scope to repositories, which apply it
     * to each row.
     */
    readonly scope: AccessScope,
    private readonly grantSources: readonly GrantSource[],
    private readonly grants: Grants,
    /** The IP address that the request came from. */
    readonly address: string,
  ) {}

  /**
   * The id of the user who calls, or who owns the API key. For an anonymous caller it is 0, which is never the id of a
   * user.
   */
  get userId(): number {
    return this.principal.userId ?? 0;
  }

  /** Whether the role is one of the staff roles of `defineAccess()`, as `isStaff` of the caller of `rows`. */
  get isStaff(): boolean {
    return STAFF_ROLES.includes(this.principal.role);
  }

  /**
   * Asserts that the role, the API key or the grants of the caller permit an action on a row. Call it for rows of other
   * resources, which the scope of the route does not cover. It ignores `rows`: pass only rows that you have read with a scope.
   * @param permission the permission that grants may allow or deny
   * @param needed the permission that the role or API key needs. Defaults to `permission`
   * @throws ApiError `PERMISSION_DENIED`
   * @example caller.authorize('update', product);
   */
  authorize(permission: GrantedPermission, row: object, needed: Permission = permission): void {
    const { principal, grantSources, grants } = this;
    const rule = { isPublic: false, permission: needed } as const;
    const scope = resolveAccessScope({
      principal,
      rule,
      permission,
      grantSources,
      params: {},
      grants,
      hasRow: true,
    });
    if (!isInScope(scope, row)) throw permissionDenied(principal, needed, true);
  }

  /**
   * Returns the rows of another resource on which the caller may perform an action. `scope` covers only the resource of the
   * route, so a repository of another resource refuses it.
   * @param permission the permission that grants may allow or deny
   * @param rule the permission and the options of `@RequirePermission()` that decide which rows the role or API key may use.
   *   Defaults to `permission`
   * @example const ticket = await this.tickets.get(ticketId, caller.scopeOf(TICKETS), tx);
   */
  scopeOf<Row extends object>(
    resource: ResourceDefinition<Row>,
    permission: GrantedPermission = 'read',
    rule: RequirePermissionOptions & { readonly permission?: Permission } = {},
  ): AccessScope {
    return resolveAccessScope({
      principal: this.principal,
      rule: { permission, ...rule, isPublic: false },
      permission,
      grantSources: grantSourcesOf(resource),
      params: {},
      grants: this.grants,
      hasRow: permission !== 'create',
      resource,
    });
  }

  /** Returns the same caller with another principal, such as one whose role was read again in a transaction. */
  withPrincipal(principal: Principal): Caller {
    return new Caller(principal, this.scope, this.grantSources, this.grants, this.address);
  }

  /**
   * Returns the ids of the resources that `deny` grants hide from the caller.
   * @param type the type of these resources
   */
  hiddenIds(type: ResourceType): Ids {
    return this.grants.deniedIds(type, 'read');
  }
}

/**
 * Passes the `Principal` of the request to a parameter. On a public route, the value is `null`, unless the route has
 * `@Public({ identifying: true })` and the request carries credentials.
 *
 * On routes that are not public, use `@CurrentUser()`: its value is never `null` and includes the scope.
 * @example create(@Body() body: CreateUserDto, @CurrentPrincipal() caller: Principal | null) { … }
 */
export const CurrentPrincipal = createRequestDecorator(({ context }) => context.principal);

/**
 * Passes the `Caller` to a parameter: the principal, and the rows that the route may read or write for them.
 *
 * Do not use it on a `@Public()` route, where a request without credentials gets a 500. Use `@CurrentPrincipal()`
 * instead.
 * @example remove(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller) { … }
 */
export const CurrentUser = createRequestDecorator(({ context, policy, ip }) => {
  const { principal, scope, grants } = context;
  if (!principal) throw new Error('@CurrentUser() is only for routes that are not public');
  return new Caller(principal, scope, policy?.grants ?? [], grants, ip);
});

/**
 * Restricts a `@ListQuery()` to the caller's own rows.
 * @param unless a permission. Callers who have it see the rows of all users
 * @example list(@ListQuery(apiKeyList, { userId: ownRows('manage_users') }) query: ListQuery) { … }
 */
export function ownRows(unless?: Permission): (request: FastifyRequest) => number | undefined {
  return ({ context: { principal } }) => {
    const seesAll = unless !== undefined && principal?.permissions.has(unless);
    // No row belongs to user 0, so an anonymous caller sees no rows.
    return seesAll ? undefined : (principal?.userId ?? 0);
  };
}
