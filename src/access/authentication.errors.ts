import { defineError } from '../http/errors/catalogue.js';

const BASIC = 'Basic realm="plinth", charset="UTF-8"';

/** The challenges of a 401 (RFC 9110 §11.6.1). */
const CHALLENGES = { 'www-authenticate': `Bearer realm="plinth", ${BASIC}` };

/** The challenges where a token was sent: they name the reason (RFC 6750 §3.1). */
const tokenChallenges = (reason: string) => ({
  'www-authenticate': `Bearer realm="plinth", error="invalid_token", error_description="${reason}", ${BASIC}`,
});

const TOKEN_IS_INVALID = 'The token is invalid or has been revoked.';
const TOKEN_HAS_EXPIRED = 'The token has expired.';

export const AUTHENTICATION_REQUIRED = defineError(
  401,
  'AUTHENTICATION_REQUIRED',
  'The request carries no credentials.',
  CHALLENGES,
);
export const INVALID_CREDENTIALS = defineError(
  401,
  'INVALID_CREDENTIALS',
  'The e-mail or the password is incorrect.',
  CHALLENGES,
);
export const INVALID_TOKEN = defineError(
  401,
  'INVALID_TOKEN',
  TOKEN_IS_INVALID,
  tokenChallenges(TOKEN_IS_INVALID),
);
export const TOKEN_EXPIRED = defineError(
  401,
  'TOKEN_EXPIRED',
  TOKEN_HAS_EXPIRED,
  tokenChallenges(TOKEN_HAS_EXPIRED),
);
export const INVALID_API_KEY = defineError(
  401,
  'INVALID_API_KEY',
  'The API key is invalid or has been revoked.',
  CHALLENGES,
);
export const INVALID_SESSION = defineError(
  401,
  'INVALID_SESSION',
  'The session cookie is invalid, or its session has ended.',
  CHALLENGES,
);
