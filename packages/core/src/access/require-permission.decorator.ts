import { routePolicy } from '../routes/route-policy.js';
import { Permission } from '../config/define-access.js';

export interface RequirePermissionOptions {
  /** Whether `ANONYMOUS_ROLE` opens the route to callers without credentials. */
  readonly anonymous?: boolean;
  /** A path parameter with the id of a user. That user may call the route whatever their role. */
  readonly selfParam?: string;
  /**
   * The property of a row with the id of its owner. Any user may call the route for the rows that they own. With
   * `true`, any user may call the route, and the service checks the owner.
   */
  readonly ownerField?: string | true;
  /** Whether the permission counts only for staff roles: a viewer's `read` does not open the orders of other users. */
  readonly staff?: boolean;
}

export interface PermissionRule extends RequirePermissionOptions {
  readonly isPublic: false;
  readonly permission: Permission;
}

export interface PublicRule {
  readonly isPublic: true;
  /** Whether credentials are verified if the request has some. The response may then depend on the caller. */
  readonly authenticatesCaller: boolean;
  /** Whether the route creates users. With `REGISTRATION=closed`, only callers with `manage_users` may call it. */
  readonly isRegistration?: boolean;
}

/**
 * Declares the permission that a route, or every route of a controller, needs. Callers without it get 403, callers without
 * credentials 401. A route without this decorator needs the permission of its HTTP method, such as `create` for a POST.
 *
 * Do not use it for a rule that depends on more of a row than its owner: call `caller.authorize()` in the service.
 * @example @RequirePermission('update', { ownerField: 'userId' })
 */
export function RequirePermission(
  permission: Permission,
  options: RequirePermissionOptions = {},
): ClassDecorator & MethodDecorator {
  return routePolicy({ access: { isPublic: false, permission, ...options } });
}

/**
 * Opens a route, or every route of a controller, to everybody.
 *
 * Do not use it for a route that each deployment may open or close. `@RequirePermission('read', { anonymous: true })`
 * is open to callers without credentials only if `ANONYMOUS_ROLE` is set.
 * @param options.identifying verifies credentials if the request has some, and rejects bad ones with 401. Otherwise
 * they are ignored
 * @param options.registration declares that the route creates users. With `REGISTRATION=closed`, it needs `manage_users`
 * @example @Public({ identifying: true })
 */
export function Public({ identifying = false, registration = false } = {}): ClassDecorator & MethodDecorator {
  return routePolicy({
    access: { isPublic: true, authenticatesCaller: identifying, isRegistration: registration },
  });
}
