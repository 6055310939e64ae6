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
 * A base class for schemes whose credential is in the headers, such as a token. It reads the credential, and Passport
 * passes the credential to your `validate()` method. This method returns the principal, or `null` for an invalid
 * credential.
 *
 * Do not use it for a scheme that needs other parts of the request, such as the URL: extend Passport's `Strategy`
 * instead.
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
 * Returns the token of an `Authorization: Bearer` header (RFC 6750 §2.1), or `null` if the header is missing, longer
 * than 4096 characters, or not a Bearer token.
 * @example bearerToken('Bearer abc') // 'abc'
 */
export function bearerToken(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > MAX_TOKEN_LENGTH) return null;
  return /^bearer +([A-Za-z0-9._~+/=-]+)$/i.exec(authorization)?.[1] ?? null;
}

/**
 * Returns the value of a cookie in a `Cookie` header, or `null` if the cookie is missing or repeated. The order of
 * repeated cookies is not reliable, so none of their values is used.
 * @example singleCookie('session_id=abc', SESSION_COOKIE) // 'abc'
 */
export function singleCookie(header: string | undefined, name: string): string | null {
  const [value, ...others] = cookieValues(header, name);
  return value === undefined || others.length > 0 ? null : value;
}

/** The protection space of all schemes (RFC 9110 §11.5). */
export const REALM = PRODUCT.slug;

/**
 * Returns the `WWW-Authenticate` challenge of a scheme with Bearer tokens. If the token is invalid or expired, the
 * challenge contains the reason (RFC 6750 §3).
 * @example @AuthScheme({ name: 'bearer', challenge: bearerChallenge, … })
 */
export function bearerChallenge(error: ErrorType): string {
  const challenge = `Bearer realm="${REALM}"`;
  if (error !== INVALID_TOKEN && error !== TOKEN_EXPIRED) return challenge;
  return `${challenge}, error="invalid_token", error_description="${error.summary}"`;
}

/**
 * Returns the `WWW-Authenticate` challenge of the Basic scheme. It tells clients to encode credentials in UTF-8
 * (RFC 7617 §2.1).
 * @example @AuthScheme({ name: 'basic', challenge: basicChallenge, … })
 */
export const basicChallenge = (): string => `Basic realm="${REALM}", charset="UTF-8"`;
