import { ApiError } from '../http/errors/api-error.js';
import { defineError } from '../http/errors/catalogue.js';
import { Permission } from './permissions.js';
import { Principal } from './principal.js';

export const PERMISSION_DENIED = defineError(403, 'PERMISSION_DENIED', 'The caller lacks a permission.');

// `WWW-Authenticate` is added to every 401 by the schemes that the route takes.

export const AUTHENTICATION_REQUIRED = defineError(
  401,
  'AUTHENTICATION_REQUIRED',
  'The request carries no credentials.',
);
export const INVALID_CREDENTIALS = defineError(
  401,
  'INVALID_CREDENTIALS',
  'The e-mail or the password is incorrect.',
);
export const INVALID_TOKEN = defineError(401, 'INVALID_TOKEN', 'The token is invalid or has been revoked.');
export const TOKEN_EXPIRED = defineError(401, 'TOKEN_EXPIRED', 'The token has expired.');
export const INVALID_API_KEY = defineError(
  401,
  'INVALID_API_KEY',
  'The API key is invalid or has been revoked.',
);
export const INVALID_SESSION = defineError(
  401,
  'INVALID_SESSION',
  'The session cookie is invalid, or its session has ended.',
);
export const CROSS_ORIGIN_REJECTED = defineError(
  403,
  'CROSS_ORIGIN_REJECTED',
  'A session cookie is accepted for writes only from pages of this origin and of allowed origins.',
);

export function permit(principal: Principal, permission: Permission): void {
  if (!principal.permissions.has(permission)) throw denied(principal, permission);
}

/** The error for a caller without a permission, or without it for what belongs to others. */
export function denied(principal: Principal | null, permission: Permission, isOfOthers = false): ApiError {
  const role = principal ? `The role ${principal.role}` : 'A caller without credentials';
  const who = principal?.kind === 'api-key' ? `The API key of a caller of role ${principal.role}` : role;
  return new ApiError(
    PERMISSION_DENIED,
    `${who} lacks the permission ${permission}${isOfOthers ? ' for what belongs to others' : ''}.`,
  );
}

export function deniedByGrant(permission: Permission): ApiError {
  return new ApiError(PERMISSION_DENIED, `The permission ${permission} is denied for this resource.`);
}
