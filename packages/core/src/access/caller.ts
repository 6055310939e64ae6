import { FastifyRequest } from 'fastify';

import { permissionDenied } from './access.errors.js';
import { GrantSource } from './grant-sources.js';
import { GrantedPermission, Grants, Ids } from './grants.js';
import { Permission, ResourceType } from '../config/define-access.js';
import { createRequestDecorator } from '../routes/request.js';
import { Principal } from './principal.js';
import { isInScope, AccessScope, resolveAccessScope } from './access-scope.js';

/**
 * The caller of a route, and what they may do there by role, API key and grants. `@CurrentUser()` passes it to a handler.
 * @example get(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller) { return this.orders.get(id, caller); }
 */
export class Caller {
  constructor(
    readonly principal: Principal,
    /** The rows with which the caller may do what the route does. Pass it to repositories. They apply it to each row. */
    readonly scope: AccessScope,
    private readonly grantSources: readonly GrantSource[],
    private readonly grants: Grants,
    /** The IP address that the request came from. */
    readonly address: string,
  ) {}

  /** The id of the user who calls, or who owns the API key. For an anonymous caller it is 0, which no user has. */
  get userId(): number {
    return this.principal.userId ?? 0;
  }

  /**
   * Asserts that the caller may do something with a row by role, key or grant. Call it if a route also touches a row of
   * another resource than its own.
   * @param permission the permission by which a grant may allow or deny it
   * @param needed the permission that a role needs. By default, the same
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

  /** Returns the same caller with another principal, such as one whose role was read again in a transaction. */
  withPrincipal(principal: Principal): Caller {
    return new Caller(principal, this.scope, this.grantSources, this.grants, this.address);
  }

  /** Returns the ids of a type's resources that grants hide from the caller. */
  hiddenIds(type: ResourceType): Ids {
    return this.grants.deniedIds(type, 'read');
  }
}

/**
 * Passes the `Principal` of the request to a parameter. It is `null` if the route is public and the request has no
 * credentials.
 *
 * On other routes use `@CurrentUser()`, whose value is never `null` and includes the scope.
 * @example create(@Body() body: CreateUserDto, @CurrentPrincipal() caller: Principal | null) { … }
 */
export const CurrentPrincipal = createRequestDecorator(({ context }) => context.principal);

/**
 * Passes the `Caller` to a parameter: the principal, and the rows that the route may read or write for them.
 *
 * Do not use it on a `@Public()` route, where a request without credentials gets a 500. Use `@CurrentPrincipal()` there.
 * @example remove(@Param('id', ParseIdPipe) id: number, @CurrentUser() caller: Caller) { … }
 */
export const CurrentUser = createRequestDecorator(({ context, policy, ip }) => {
  const { principal, scope, grants } = context;
  if (!principal) throw new Error('@CurrentUser() is only for routes that are not public');
  return new Caller(principal, scope, policy?.grants ?? [], grants, ip);
});

/**
 * Restricts a `@ListQuery()` to the caller's own rows. Callers with the permission `unless` see the rows of all users.
 * @example list(@ListQuery(apiKeyList, { userId: ownRows('manage_users') }) query: ListQuery) { … }
 */
export function ownRows(unless?: Permission): (request: FastifyRequest) => number | undefined {
  return ({ context: { principal } }) => {
    const seesAll = unless !== undefined && principal?.permissions.has(unless);
    // No row belongs to 0.
    return seesAll ? undefined : (principal?.userId ?? 0);
  };
}
