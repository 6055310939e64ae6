import { ApiError } from '#src/common/errors/api-error.js';
import { defineError, ErrorType } from '#src/common/errors/catalogue.js';

export const INVALID_CREDENTIALS = defineError(
  401,
  'INVALID_CREDENTIALS',
  'E-mail and password do not go together.',
);
export const INVALID_TOKEN = defineError(
  401,
  'INVALID_TOKEN',
  'The access token is none that the service signed.',
);
export const TOKEN_EXPIRED = defineError(401, 'TOKEN_EXPIRED', 'The access token has expired.');

/** A 401 with the challenges that RFC 9110 §11.6.1 asks for, and RFC 6750 §3.1's reason where a token was shown. */
export function unauthorized(type: ErrorType, message?: string): ApiError {
  const isTokenError = type === INVALID_TOKEN || type === TOKEN_EXPIRED;
  const reason = isTokenError ? `, error="invalid_token", error_description="${type.summary}"` : '';
  return new ApiError(type, message, { headers: { 'www-authenticate': `Bearer realm="plinth"${reason}` } });
}
