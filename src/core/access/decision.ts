import { ApiError } from '../http/errors/api-error.js';
import { PERMISSION_DENIED } from './access.errors.js';
import { GrantedPermission } from './grants.js';
import { Permission } from './permissions.js';
import { Principal } from './principal.js';

/** The permission that each method stands for. */
export const PERMISSION_OF: Readonly<Record<string, GrantedPermission>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
};

/**
 * Asserts that a principal holds a permission by role or key.
 *
 * @throws ApiError `PERMISSION_DENIED`
 */
export function permit(principal: Principal, permission: Permission): void {
  if (!principal.permissions.has(permission)) throw denied(principal, permission);
}

/**
 * The error for a caller without a permission.
 *
 * @param isOfOthers the permission as it goes for what belongs to others
 */
export function denied(principal: Principal | null, permission: Permission, isOfOthers = false): ApiError {
  const role = principal ? `The role ${principal.role}` : 'A caller without credentials';
  const who = principal?.kind === 'api-key' ? `The API key of a caller of role ${principal.role}` : role;
  return new ApiError(
    PERMISSION_DENIED,
    `${who} lacks the permission ${permission}${isOfOthers ? ' for what belongs to others' : ''}.`,
  );
}

/** The error for a caller to whom a grant denies what the role allows. */
export function deniedByGrant(permission: Permission): ApiError {
  return new ApiError(PERMISSION_DENIED, `The permission ${permission} is denied for this resource.`);
}
