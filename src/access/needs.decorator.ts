import { routePolicy } from '#src/common/http/route-policy.js';

import { Permission } from './permissions.js';

/** Who may call a route. */
export type AccessRule =
  | { readonly isOpen: true }
  | {
      readonly isOpen: false;
      readonly permission: Permission;
      /** `ANONYMOUS_ROLE` opens it to callers without credentials. */
      readonly isOpenToAnonymousRole: boolean;
      /** Every user may, with what is theirs: the service looks whose it is. API keys need the permission. */
      readonly isForOwners: boolean;
    };

declare module '#src/common/http/route-policy.js' {
  interface RoutePolicy {
    /** Every route declares it; a test walks all routes, and one without is refused to everybody. */
    access?: AccessRule;
  }
}

/**
 * The permission that a route needs, decided by the role before the body is read.
 *
 * @param options.anonymous the route is among those that `ANONYMOUS_ROLE` opens
 * @param options.own every user may, whatever their role, with what is theirs: the service looks whose it is;
 *   an API key still needs the permission
 * @example @Needs('create')
 * @example @Needs('delete', { own: true })
 */
export function Needs(permission: Permission, { anonymous = false, own = false } = {}): MethodDecorator {
  return routePolicy({
    access: { isOpen: false, permission, isOpenToAnonymousRole: anonymous, isForOwners: own },
  });
}

/** Opens a route to everybody. Credentials are not looked at, not even bad ones. */
export function Open(): MethodDecorator {
  return routePolicy({ access: { isOpen: true } });
}
