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
import { ErrorType } from '../http/errors/catalogue.js';
import { SESSION_COOKIE } from './login/login-cookies.js';
import { runStrategy } from './run-strategy.js';
import { ApiKeyStrategy } from './strategies/api-key.strategy.js';
import { BasicStrategy } from './strategies/basic.strategy.js';
import { BearerStrategy, ProvedToken } from './strategies/bearer.strategy.js';
import { SessionStrategy } from './strategies/session.strategy.js';

const REMEMBERED_TOKENS = 10_000;

/**
 * Finds out who a request comes from, by its headers alone. The first credential that is there decides:
 * `Authorization`, then `X-API-Key`, then the session's cookie. A bad one is refused, whatever else was sent.
 */
@Injectable()
export class Authentication {
  /** Tokens that were verified, by the header that carried them: a signature is good until its token expires. */
  private readonly proved = new LRUCache<string, ProvedToken>({ max: REMEMBERED_TOKENS });
  private readonly anonymous: Principal | undefined;

  constructor(
    private readonly bearer: BearerStrategy,
    private readonly basic: BasicStrategy,
    private readonly apiKey: ApiKeyStrategy,
    private readonly session: SessionStrategy,
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
   * The principal of a request; at once where it is known already.
   *
   * @param isOpenToAnonymousRole whether the route takes callers without credentials under `ANONYMOUS_ROLE`
   * @throws ApiError 401 where there is no credential, or a bad one
   */
  principalOf(request: FastifyRequest, isOpenToAnonymousRole: boolean): Principal | Promise<Principal> {
    const { authorization, cookie, 'x-api-key': apiKey } = request.headers;
    if (authorization !== undefined) {
      const isBasic = /^basic(?: |$)/i.test(authorization);
      return isBasic
        ? this.prove(this.basic, request, INVALID_CREDENTIALS)
        : this.ofToken(request, authorization);
    }
    if (apiKey !== undefined) return this.prove(this.apiKey, request, INVALID_API_KEY);
    if (cookieValues(cookie, SESSION_COOKIE).length > 0) {
      return this.prove(this.session, request, INVALID_SESSION);
    }
    if (isOpenToAnonymousRole && this.anonymous) return this.anonymous;
    throw new ApiError(AUTHENTICATION_REQUIRED);
  }

  private async prove(strategy: Strategy, request: FastifyRequest, refusal: ErrorType): Promise<Principal> {
    const outcome = await runStrategy<Principal>(strategy, request);
    if (outcome.kind === 'success') return outcome.user;
    throw new ApiError(refusal);
  }

  private ofToken(request: FastifyRequest, authorization: string): Principal | Promise<Principal> {
    const proved = this.proved.get(authorization);
    if (!proved) return this.verify(request, authorization);
    if (proved.expiresAt > Date.now()) return proved.principal;
    this.proved.delete(authorization);
    throw new ApiError(TOKEN_EXPIRED);
  }

  private async verify(request: FastifyRequest, authorization: string): Promise<Principal> {
    const outcome = await runStrategy<ProvedToken>(this.bearer, request).catch(() => null);
    if (outcome?.kind === 'success') {
      this.proved.set(authorization, outcome.user);
      return outcome.user.principal;
    }
    const isExpired = outcome?.reason instanceof Error && outcome.reason.name === 'TokenExpiredError';
    throw new ApiError(isExpired ? TOKEN_EXPIRED : INVALID_TOKEN);
  }
}
