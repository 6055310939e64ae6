import { Injectable } from '@nestjs/common';
import { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Strategy } from 'passport';

import {
  AUTHENTICATION_REQUIRED,
  INVALID_API_KEY,
  INVALID_CREDENTIALS,
  INVALID_SESSION,
  INVALID_TOKEN,
  TOKEN_EXPIRED,
} from '../access/authentication.errors.js';
import { ROLE_PERMISSIONS } from '../access/permissions.js';
import { Principal } from '../access/principal.js';
import { Config } from '../config/config.js';
import { cookieValues } from '../http/cookies.js';
import { ApiError } from '../http/errors/api-error.js';
import { isSafeMethod } from '../http/safe-methods.js';
import { ErrorType } from '../http/errors/catalogue.js';
import { SESSION_COOKIE } from './login/login-cookies.js';
import { runStrategy } from './run-strategy.js';
import { ApiKeyStrategy } from './strategies/api-key.strategy.js';
import { BasicStrategy } from './strategies/basic.strategy.js';
import { BearerStrategy, VerifiedToken } from './strategies/bearer.strategy.js';
import { SessionStrategy } from './strategies/session.strategy.js';
import { CurrentUsers } from './tokens/current-users.js';

const REMEMBERED_TOKENS = 10_000;

/**
 * Authenticates requests by their headers. The first credential present decides: `Authorization`, then `X-API-Key`,
 * then the session cookie. A bad one is refused, whatever else was sent.
 */
@Injectable()
export class Authentication {
  /** Verified tokens, by the header that carried them: a signature stays valid until its token expires. */
  private readonly verified = new LRUCache<string, VerifiedToken>({ max: REMEMBERED_TOKENS });
  private readonly anonymous: Principal | undefined;

  constructor(
    private readonly bearer: BearerStrategy,
    private readonly basic: BasicStrategy,
    private readonly apiKey: ApiKeyStrategy,
    private readonly session: SessionStrategy,
    private readonly users: CurrentUsers,
    { anonymousRole }: Config,
  ) {
    this.anonymous = anonymousRole && {
      kind: 'anonymous',
      userId: null,
      keyId: null,
      loginId: null,
      role: anonymousRole,
      permissions: ROLE_PERMISSIONS[anonymousRole],
      scheme: 'anonymous',
    };
  }

  /**
   * The principal of a request, without a promise where it is in memory.
   *
   * @param isOpenToAnonymousRole whether the route takes callers without credentials under `ANONYMOUS_ROLE`
   * @throws ApiError 401 for missing or bad credentials
   */
  principalOf(request: FastifyRequest, isOpenToAnonymousRole: boolean): Principal | Promise<Principal> {
    const { authorization, cookie, 'x-api-key': apiKey } = request.headers;
    if (authorization !== undefined) {
      const isBasic = /^basic(?: |$)/i.test(authorization);
      return isBasic
        ? this.verifyBy(this.basic, request, INVALID_CREDENTIALS)
        : this.byToken(request, authorization);
    }
    if (apiKey !== undefined) return this.verifyBy(this.apiKey, request, INVALID_API_KEY);
    if (cookieValues(cookie, SESSION_COOKIE).length > 0) {
      return this.verifyBy(this.session, request, INVALID_SESSION);
    }
    if (isOpenToAnonymousRole && this.anonymous) return this.anonymous;
    throw new ApiError(AUTHENTICATION_REQUIRED);
  }

  private async verifyBy(
    strategy: Strategy,
    request: FastifyRequest,
    refusal: ErrorType,
  ): Promise<Principal> {
    const outcome = await runStrategy<Principal>(strategy, request);
    if (outcome.kind === 'success') return outcome.user;
    throw new ApiError(refusal);
  }

  /** A token is verified by itself; for a write, its user must still exist too. */
  private byToken(request: FastifyRequest, authorization: string): Principal | Promise<Principal> {
    const principal = this.ofToken(request, authorization);
    if (isSafeMethod(request.method)) return principal;
    return principal instanceof Promise
      ? principal.then((verified) => this.existing(verified))
      : this.existing(principal);
  }

  private existing(principal: Principal): Principal | Promise<Principal> {
    const orRefused = (exists: boolean): Principal => {
      if (!exists) throw new ApiError(INVALID_TOKEN);
      return principal;
    };
    const exists = this.users.has(principal.userId as number);
    return exists instanceof Promise ? exists.then(orRefused) : orRefused(exists);
  }

  private ofToken(request: FastifyRequest, authorization: string): Principal | Promise<Principal> {
    const known = this.verified.get(authorization);
    if (!known) return this.verify(request, authorization);
    if (known.expiresAt > Date.now()) return known.principal;
    this.verified.delete(authorization);
    throw new ApiError(TOKEN_EXPIRED);
  }

  private async verify(request: FastifyRequest, authorization: string): Promise<Principal> {
    const outcome = await runStrategy<VerifiedToken>(this.bearer, request).catch(() => null);
    if (outcome?.kind === 'success') {
      this.verified.set(authorization, outcome.user);
      return outcome.user.principal;
    }
    const isExpired = outcome?.reason instanceof Error && outcome.reason.name === 'TokenExpiredError';
    throw new ApiError(isExpired ? TOKEN_EXPIRED : INVALID_TOKEN);
  }
}
