import { ApiError } from '../http/errors/api-error.js';
import { defineErrors } from '../http/errors/define-errors.js';
import { Permission } from '../config/define-access.js';
import { Principal } from './principal.js';

export const {
  PERMISSION_DENIED,
  AUTHENTICATION_REQUIRED,
  INVALID_CREDENTIALS,
  INVALID_TOKEN,
  TOKEN_EXPIRED,
  INVALID_API_KEY,
  INVALID_SESSION,
  CROSS_ORIGIN_REJECTED,
} = defineErrors({
  PERMISSION_DENIED: [403, 'The caller lacks a permission.'],
  AUTHENTICATION_REQUIRED: [401, 'The request carries no credentials.'],
  INVALID_CREDENTIALS: [401, 'The e-mail or the password is incorrect.'],
  INVALID_TOKEN: [401, 'The token is invalid or has been revoked.'],
  TOKEN_EXPIRED: [401, 'The token has expired.'],
  INVALID_API_KEY: [401, 'The API key is invalid or has been revoked.'],
  INVALID_SESSION: [401, 'The session cookie is invalid, or its session has ended.'],
  CROSS_ORIGIN_REJECTED: [
    403,
    'A write with a cookie must come from a page of this origin or of an allowed origin.',
  ],
});

/**
 * Asserts that the role of a caller has a permission. If the caller uses an API key, the key must have the permission
 * too.
 *
 * Do not use it for rows that grants may allow or deny, because it ignores grants. Use `caller.authorize()` instead.
 * @throws ApiError `PERMISSION_DENIED`
 * @example assertPermission(principal, 'manage_users');
 */
export function assertPermission(principal: Principal, permission: Permission): void {
  if (!principal.permissions.has(permission)) throw permissionDenied(principal, permission);
}

/**
 * Returns the error for a caller who lacks a permission. The function does not throw the error.
 * @param isOfOthers whether the caller has the permission for their own rows, but not for rows of other users
 * @example if (!mayRefund) throw permissionDenied(caller.principal, 'update');
 */
export function permissionDenied(
  principal: Principal | null,
  permission: Permission,
  isOfOthers = false,
): ApiError {
  const role = principal ? `The role ${principal.role}` : 'A caller without credentials';
  const who = principal?.kind === 'api-key' ? `The API key of a caller of role ${principal.role}` : role;
  return new ApiError(
    PERMISSION_DENIED,
    `${who} lacks the permission ${permission}${isOfOthers ? ' for resources of other users' : ''}.`,
  );
}

export function permissionDeniedByGrant(permission: Permission): ApiError {
  return new ApiError(PERMISSION_DENIED, `The permission ${permission} is denied for this resource.`);
}
