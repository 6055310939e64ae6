import { IncomingHttpHeaders } from 'node:http';

import { FastifyRequest } from 'fastify';
import passport from 'passport';

import { cookieValues } from '../../http/cookies.js';
import { PRODUCT } from '../../config/product.js';
import { ErrorType } from '../../http/errors/define-errors.js';
import { INVALID_TOKEN, TOKEN_EXPIRED } from '../access.errors.js';

type Done = (error: unknown, user?: object | null) => void;

type ReadCredential = (headers: IncomingHttpHeaders) => string | null;

/**
 * A Passport strategy that reads a credential from the headers and hands it to `validate()`.
 * @example
 * class TokenStrategy extends PassportStrategy(CredentialStrategy, 'token') {
 *   constructor() {
 *     super((headers) => bearerToken(headers.authorization));
 *   }
 *   validate(token: string): Promise<Principal | null> { … }
 * }
 */
export class CredentialStrategy extends passport.Strategy {
  constructor(
    private readonly readCredential: ReadCredential,
    private readonly validateCredential: (credential: string, done: Done) => void,
  ) {
    super();
  }

  override authenticate(request: unknown): void {
    const credential = this.readCredential((request as FastifyRequest).headers);
    const done: Done = (error, user) => {
      if (error) this.error(error);
      else if (user) this.success(user);
      else this.fail(401);
    };
    if (credential === null) this.fail(400);
    else this.validateCredential(credential, done);
  }
}

const MAX_TOKEN_LENGTH = 4096;

/**
 * The token of an `Authorization: Bearer` header (RFC 6750 §2.1), of 4096 characters with its scheme at most. `null`:
 * there is none.
 * @example bearerToken('Bearer abc') // 'abc'
 */
export function bearerToken(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > MAX_TOKEN_LENGTH) return null;
  return /^bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(authorization)?.[1] ?? null;
}

/**
 * The value of a cookie in a `Cookie` header; `null` where it is missing or repeated, as no one can tell which counts.
 * @example singleCookie('session_id=abc', SESSION_COOKIE) // 'abc'
 */
export function singleCookie(header: string | undefined, name: string): string | null {
  const [value, ...others] = cookieValues(header, name);
  return value === undefined || others.length > 0 ? null : value;
}

/** The protection space of all schemes (RFC 9110 §11.5). */
export const REALM = PRODUCT.slug;

/**
 * The challenge of schemes that take Bearer tokens. After a bad token it names the reason (RFC 6750 §3).
 * @example @AuthScheme({ name: 'bearer', challenge: bearerChallenge, … })
 */
export function bearerChallenge(error: ErrorType): string {
  const challenge = `Bearer realm="${REALM}"`;
  if (error !== INVALID_TOKEN && error !== TOKEN_EXPIRED) return challenge;
  return `${challenge}, error="invalid_token", error_description="${error.summary}"`;
}

/**
 * The challenge of Basic: credentials are UTF-8 (RFC 7617 §2.1).
 * @example @AuthScheme({ name: 'basic', challenge: basicChallenge, … })
 */
export const basicChallenge = (): string => `Basic realm="${REALM}", charset="UTF-8"`;
