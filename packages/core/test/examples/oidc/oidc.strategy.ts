import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import {
  ApiError,
  AuthScheme,
  bearerChallenge,
  bearerToken,
  canonicalEmail,
  CredentialStrategy,
  Database,
  INVALID_TOKEN,
  Principal,
  Role,
  permissionsOf,
  SchemeStrategy,
  TOKEN_EXPIRED,
} from '@plinth/core';
import { createRemoteJWKSet, decodeJwt, errors, JWTPayload, jwtVerify, JWTVerifyGetKey } from 'jose';

import { ISSUER_UNAVAILABLE } from './oidc.errors.js';

/** The issuer whose tokens are accepted. Provided by the module. */
export abstract class OidcIssuer {
  /** The claim `iss` of its tokens. */
  abstract readonly issuer: string;
  /** The claim `aud` of tokens for this service. */
  abstract readonly audience: string;
  abstract readonly jwksUrl: string;
  /**
   * The minimum time in milliseconds between two requests for its keys, whatever key ids tokens name.
   * Default: 30 seconds.
   */
  abstract readonly cooldownMs?: number;
}

/** The maximum difference in seconds between the clocks of the issuer and the service. */
const CLOCK_SKEW = 30;
/** How often the role and the existence of a user are looked up. */
const CACHED_MS = 60_000;

/** Verifies Bearer tokens of an external OpenID Connect issuer with the keys that it publishes. */
@Injectable()
@AuthScheme({
  name: 'oidc',
  header: 'Authorization',
  order: 15,
  errors: [INVALID_TOKEN, TOKEN_EXPIRED, ISSUER_UNAVAILABLE],
  challenge: bearerChallenge,
  openapi: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token of the identity provider, for a user with the same verified e-mail.',
  },
})
export class OidcStrategy extends PassportStrategy(CredentialStrategy, 'oidc') implements SchemeStrategy {
  private readonly keys: JWTVerifyGetKey;

  constructor(
    private readonly options: OidcIssuer,
    private readonly database: Database,
  ) {
    super(({ authorization }) => bearerToken(authorization));
    this.keys = keysOf(options);
  }

  /** Distinguishes the issuer's tokens from those of the service by a claim that is not verified yet. */
  accepts(authorization: string): boolean {
    const token = bearerToken(authorization);
    try {
      return token !== null && decodeJwt(token).iss === this.options.issuer;
    } catch {
      return false;
    }
  }

  async validate(token: string): Promise<Principal | null> {
    const claims = await this.claimsOf(token);
    const user = claims && (await this.findUser(claims));
    if (!user) return null;
    const expiresAt = Math.min(((claims.exp ?? 0) + CLOCK_SKEW) * 1000, Date.now() + CACHED_MS);
    const { id: userId, role } = user;
    const permissions = permissionsOf(role);
    return {
      kind: 'user',
      userId,
      keyId: null,
      loginId: null,
      role,
      permissions,
      scheme: 'oidc',
      expiresAt,
    };
  }

  private async claimsOf(token: string): Promise<JWTPayload | null> {
    const { issuer, audience } = this.options;
    try {
      const { payload } = await jwtVerify(token, this.keys, {
        issuer,
        audience,
        algorithms: ['RS256', 'ES256'],
        clockTolerance: CLOCK_SKEW,
        requiredClaims: ['sub', 'exp'],
      });
      return payload;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (error instanceof errors.JWTExpired) throw new ApiError(TOKEN_EXPIRED);
      return null;
    }
  }

  /** The user with the e-mail of the token, if the issuer has verified the e-mail. */
  private async findUser(claims: JWTPayload): Promise<{ id: number; role: Role } | undefined> {
    const { email, email_verified: isVerified } = claims;
    if (typeof email !== 'string' || isVerified !== true) return undefined;
    const text = 'select id, role from users where canonical_email = $1';
    const values = [canonicalEmail(email)];
    const [user] = await this.database.query<{ id: number; role: Role }>({ text, values, name: 'oidc_user' });
    return user;
  }
}

/** The keys of the issuer. Cached for an hour. An unknown key id makes the strategy fetch them again. */
function keysOf({ jwksUrl, cooldownMs = 30_000 }: OidcIssuer): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: 2_000,
    cooldownDuration: cooldownMs,
    cacheMaxAge: 3_600_000,
  });
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      // The token names a key that the issuer does not have. Any other failure is the issuer's, not the
      // caller's.
      const { JWKSNoMatchingKey, JWKSMultipleMatchingKeys } = errors;
      if (error instanceof JWKSNoMatchingKey || error instanceof JWKSMultipleMatchingKeys) throw error;
      const options = { cause: error, headers: { 'retry-after': '5' } };
      throw new ApiError(ISSUER_UNAVAILABLE, ISSUER_UNAVAILABLE.summary, options);
    }
  };
}
