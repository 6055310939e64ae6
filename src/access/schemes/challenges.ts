import { PRODUCT } from '../../config/product.js';
import { ErrorType } from '../../http/errors/catalogue.js';
import { INVALID_TOKEN, TOKEN_EXPIRED } from '../authentication.errors.js';

/** The protection space of all schemes (RFC 9110 §11.5). */
export const REALM = PRODUCT.realm;

/** The challenge of schemes that take Bearer tokens. After a bad token it names the reason (RFC 6750 §3). */
export function bearerChallenge(error: ErrorType): string {
  const challenge = `Bearer realm="${REALM}"`;
  if (error !== INVALID_TOKEN && error !== TOKEN_EXPIRED) return challenge;
  return `${challenge}, error="invalid_token", error_description="${error.summary}"`;
}

/** The challenge of Basic: credentials are UTF-8 (RFC 7617 §2.1). */
export const basicChallenge = (): string => `Basic realm="${REALM}", charset="UTF-8"`;
