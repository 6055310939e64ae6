import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import {
  AuthScheme,
  bearerChallenge,
  bearerToken,
  ErrorType,
  INVALID_TOKEN,
  Principal,
  permissionsOf,
  ROLES,
  SchemeStrategy,
  TOKEN_EXPIRED,
} from '@plinth/core';
import { AccessTokens, MAX_ID, readAttributes, readLoginId } from '@plinth/core/auth';
import { FastifyRequest } from 'fastify';
import jwt from 'jsonwebtoken';
import { Strategy } from 'passport-jwt';

const MAX_CLOCK_SKEW_SECONDS = 60;

/** Passport's JWT strategy, with checks that `jsonwebtoken` omits: token type, critical headers and claim types. */
@Injectable()
@AuthScheme({
  name: 'bearer',
  header: 'Authorization',
  order: 10,
  errors: [INVALID_TOKEN, TOKEN_EXPIRED],
  challenge: bearerChallenge,
  openapi: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'The `accessToken` from `POST /login` or `POST /auth/refresh`. The service checks its algorithm, type, issuer, audience and expiry (RFC 8725).',
  },
})
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') implements SchemeStrategy {
  constructor(tokens: AccessTokens) {
    super({
      // The request is Fastify's, but passport-jwt declares only Express's type.
      jwtFromRequest: (request) => bearerToken((request as unknown as FastifyRequest).headers.authorization),
      secretOrKeyProvider: (_request, token: string, done) => {
        const key = tokens.findKey(token);
        // passport-jwt declares a string, but passes the key on unchanged to jsonwebtoken, which accepts a KeyObject.
        done(key ? null : 'no key of ours', key as unknown as string | undefined);
      },
      ...tokens.verifyOptions,
    });
  }

  validate(claims: unknown): Principal | null {
    if (typeof claims !== 'object' || claims === null) return null;
    const { user_id: userId, role: named, exp, iat, sid } = claims as Record<string, unknown>;
    const role = ROLES.find((known) => known === named);
    if (!isId(userId) || !role || !Number.isSafeInteger(exp)) return null;
    // Allows a small difference between the clocks of servers. Refuses a token that was issued further in the future.
    if (!Number.isSafeInteger(iat) || (iat as number) > Date.now() / 1000 + MAX_CLOCK_SKEW_SECONDS)
      return null;
    return Object.freeze({
      kind: 'user',
      userId,
      keyId: null,
      loginId: readLoginId(sid),
      role,
      permissions: permissionsOf(role),
      attributes: readAttributes(claims),
      scheme: 'bearer',
      expiresAt: (exp as number) * 1000,
    });
  }

  errorTypeFor(reason: unknown): ErrorType {
    return reason instanceof jwt.TokenExpiredError ? TOKEN_EXPIRED : INVALID_TOKEN;
  }
}

const isId = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_ID;
