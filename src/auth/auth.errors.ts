import { ApiError } from '../http/errors/api-error.js';
import { defineError, ErrorType } from '../http/errors/catalogue.js';

export const INVALID_CREDENTIALS = defineError(
  401,
  'INVALID_CREDENTIALS',
  'E-mail and password do not go together.',
);
export const INVALID_TOKEN = defineError(
  401,
  'INVALID_TOKEN',
  'The token is none that the service gave out, or it was ended.',
);
export const TOKEN_EXPIRED = defineError(401, 'TOKEN_EXPIRED', 'The token has expired.');
export const INVALID_API_KEY = defineError(401, 'INVALID_API_KEY', 'There is no such API key.');
export const INVALID_SESSION = defineError(
  401,
  'INVALID_SESSION',
  'The session cookie is of no session, or of one that has ended.',
);
export const CROSS_ORIGIN_REJECTED = defineError(
  403,
  'CROSS_ORIGIN_REJECTED',
  'A session cookie writes only for pages of this origin and of those allowed.',
);
export const SESSION_STORE_UNAVAILABLE = defineError(
  503,
  'SESSION_STORE_UNAVAILABLE',
  'Where sessions are kept does not answer; Retry-After says when to try again.',
);

const BASIC = 'Basic realm="plinth", charset="UTF-8"';

/** A 401 with the challenges that RFC 9110 §11.6.1 asks for, and RFC 6750 §3.1's reason where a token was shown. */
export function unauthorized(type: ErrorType, message?: string): ApiError {
  const isTokenError = type === INVALID_TOKEN || type === TOKEN_EXPIRED;
  const reason = isTokenError ? `, error="invalid_token", error_description="${type.summary}"` : '';
  const challenges = `Bearer realm="plinth"${reason}, ${BASIC}`;
  return new ApiError(type, message, { headers: { 'www-authenticate': challenges } });
}
