import { routePolicy } from '../routes/route-policy.js';
import { Permission } from '../config/define-access.js';

export interface RequirePermissionOptions {
  /** The route is among those that `ANONYMOUS_ROLE` opens. */
  readonly anonymous?: boolean;
  /** The path parameter that names a user: that user may call the route whatever their role. */
  readonly selfParam?: string;
  /** Any user, for the rows that hold their id in this property. `true`: the service judges whose they are. */
  readonly ownerField?: string | true;
  /** The permission counts for staff roles only: a viewer's `read` does not open the orders of other users. */
  readonly staff?: boolean;
}

export interface PermissionRule extends RequirePermissionOptions {
  readonly isPublic: false;
  readonly permission: Permission;
}

export interface PublicRule {
  readonly isPublic: true;
  /** Credentials that are there are looked at, and must be good: what may be sent can depend on the caller. */
  readonly authenticatesCaller: boolean;
  /** `REGISTRATION=closed` leaves the route to callers with `manage_users`. */
  readonly isRegistration?: boolean;
}

/**
 * The permission that a route needs, or every route of a controller. Callers without it are answered 403, callers
 * without credentials 401.
 * @example @RequirePermission('update', { ownerField: 'userId' })
 */
export function RequirePermission(
  permission: Permission,
  options: RequirePermissionOptions = {},
): ClassDecorator & MethodDecorator {
  return routePolicy({ access: { isPublic: false, permission, ...options } });
}

/**
 * Opens a route, or every route of a controller, to everybody. Credentials are looked at if it is `identifying`. With
 * `registration`, the route creates users: `REGISTRATION=closed` leaves it to callers with `manage_users`.
 * @example @Public({ identifying: true })
 */
export function Public({ identifying = false, registration = false } = {}): ClassDecorator & MethodDecorator {
  return routePolicy({
    access: { isPublic: true, authenticatesCaller: identifying, isRegistration: registration },
  });
}
