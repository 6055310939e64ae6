import { routePolicy } from '../routes/route-policy.js';
import { Permission } from '../config/define-access.js';

export interface RequirePermissionOptions {
  /**
   * Whether callers without credentials may call the route with the permissions of `ANONYMOUS_ROLE`. If
   * `ANONYMOUS_ROLE` is not set, they get 401.
   */
  readonly anonymous?: boolean;
  /** A path parameter with the id of a user. This user may call the route even if their role lacks the permission. */
  readonly selfParam?: string;
  /**
   * The property of a row with the id of its owner. Any user may call the route for the rows that they own. If `true`,
   * any user may call the route, and the service checks who owns a row.
   */
  readonly ownerField?: string | true;
  /**
   * Whether the permission counts only for staff roles. For example, a viewer is not staff, so their permission `read`
   * does not open the orders of other users.
   */
  readonly staff?: boolean;
}

export interface PermissionRule extends RequirePermissionOptions {
  readonly isPublic: false;
  readonly permission: Permission;
}

export interface PublicRule {
  readonly isPublic: true;
  /**
   * Whether the credentials of a request are verified, if it carries any. The response may then depend on the caller.
   */
  readonly authenticatesCaller: boolean;
  /** Whether the route creates users. With `REGISTRATION=closed`, only callers with `manage_users` may call it. */
  readonly isRegistration?: boolean;
}

/**
 * Declares the permission that a route, or every route of a controller, needs. Callers who lack the permission get 403,
 * and requests without credentials get 401. A route without this decorator needs the permission of its HTTP method,
 * such as `create` for a POST.
 *
 * Do not use it for a rule that depends on other properties of a row than its owner. For such a rule, load the row in
 * the service, and call `caller.authorize()` there.
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
 * Do not use it for a route that operators may open or close by configuration. Use
 * `@RequirePermission('read', { anonymous: true })` instead: it admits callers without credentials only if
 * `ANONYMOUS_ROLE` is set.
 * @param options.identifying verifies the credentials of a request, if it carries any, and rejects invalid credentials
 * with 401. By default, a public route ignores credentials
 * @param options.registration declares that the route creates users. With `REGISTRATION=closed`, the route then needs
 * the permission `manage_users`
 * @example @Public({ identifying: true })
 */
export function Public({ identifying = false, registration = false } = {}): ClassDecorator & MethodDecorator {
  return routePolicy({
    access: { isPublic: true, authenticatesCaller: identifying, isRegistration: registration },
  });
}
