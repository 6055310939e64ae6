import { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { INVALID_TOKEN } from '../access/authentication.errors.js';
import { Principal } from '../access/principal.js';
import { TemporaryPrincipal, Validated } from '../access/schemes/auth-scheme.decorator.js';
import { RegisteredScheme } from '../access/schemes/auth-schemes.js';
import { ApiError } from '../http/errors/api-error.js';
import { isSafeMethod } from '../http/safe-methods.js';
import { runStrategy } from './run-strategy.js';
import { CurrentUsers } from './tokens/current-users.js';

const CACHED_PRINCIPALS = 10_000;

/**
 * Verifies the credentials of one scheme by its strategy. A principal that comes with an expiry is cached until then;
 * for a write, its user must still exist.
 */
export class SchemeVerifier {
  /** By credential. Schemes whose principals have no expiry have no cache. */
  private cached: LRUCache<string, TemporaryPrincipal> | undefined;

  constructor(
    private readonly scheme: RegisteredScheme,
    private readonly users: CurrentUsers,
  ) {}

  /** Whether the scheme takes a credential that its header carries. */
  accepts(credential: string): boolean {
    return this.scheme.strategy.accepts?.(credential) ?? true;
  }

  /** Whether the scheme takes credentials that no other scheme takes. */
  get isFallback(): boolean {
    return this.scheme.strategy.accepts === undefined;
  }

  /**
   * The principal of a credential, without a promise where it is in memory.
   *
   * @throws ApiError 401 for a bad credential, and what the strategy throws
   */
  verify(request: FastifyRequest, credential: string): Principal | Promise<Principal> {
    const cached = this.cached?.get(credential);
    if (cached && cached.expiresAt > Date.now()) return this.current(request, cached.principal);
    return this.run(request, credential);
  }

  private async run(request: FastifyRequest, credential: string): Promise<Principal> {
    const outcome = await runStrategy<Validated>(this.scheme.strategy, request);
    if (outcome.kind === 'failure' || !outcome.user) {
      const { strategy, errors } = this.scheme;
      const reason = outcome.kind === 'failure' ? outcome.reason : undefined;
      throw new ApiError(strategy.refusalFor?.(reason) ?? errors[0]);
    }
    const { user } = outcome;
    if (!('expiresAt' in user)) return user;
    this.cached ??= new LRUCache({ max: CACHED_PRINCIPALS });
    this.cached.set(credential, user);
    return this.current(request, user.principal);
  }

  private current(request: FastifyRequest, principal: Principal): Principal | Promise<Principal> {
    if (isSafeMethod(request.method) || principal.userId === null) return principal;
    const orRefused = (exists: boolean): Principal => {
      if (!exists) throw new ApiError(INVALID_TOKEN);
      return principal;
    };
    const exists = this.users.has(principal.userId);
    return exists instanceof Promise ? exists.then(orRefused) : orRefused(exists);
  }
}
