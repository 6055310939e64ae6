import { defineError } from '../http/errors/catalogue.js';

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
