import { IncomingHttpHeaders } from 'node:http';

import { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { INVALID_TOKEN } from '../access/authentication.errors.js';
import { Principal } from '../access/principal.js';
import { TemporaryPrincipal, Validated } from '../access/schemes/auth-scheme.decorator.js';
import { RegisteredScheme } from '../access/schemes/auth-schemes.js';
import { cookieValues } from '../http/cookies.js';
import { ApiError } from '../http/errors/api-error.js';
import { isSafeMethod } from '../http/safe-methods.js';
import { runStrategy } from './run-strategy.js';
import { CurrentUsers } from './tokens/current-users.js';

const CACHED_PRINCIPALS = 10_000;
/**
 * Characters at the end of a credential that it is looked up by: to hash a whole token for each request takes 0.6 µs.
 */
const LOOKED_UP_BY = 24;

interface CachedPrincipal extends TemporaryPrincipal {
  /** The whole of it: others may end alike. */
  readonly credential: string;
}

/**
 * A header or cookie, and the schemes whose credentials it carries. A principal that comes with an expiry is
 * cached until then by its credential; for a write, its user must still exist.
 */
export class CredentialSource {
  /** Without schemes whose principals expire there is no cache to look into. */
  private cached: LRUCache<string, CachedPrincipal> | undefined;
  /** A scheme that cannot tell whether a credential is its own comes last, and takes what the others leave. */
  private readonly schemes: readonly RegisteredScheme[];
  private readonly header: string;
  private readonly cookie: string | undefined;

  /** @param schemes of one header or cookie */
  constructor(
    schemes: readonly RegisteredScheme[],
    private readonly users: CurrentUsers,
  ) {
    this.schemes = schemes.toSorted((a, b) => Number(!a.strategy.accepts) - Number(!b.strategy.accepts));
    this.header = schemes[0]?.header.toLowerCase() ?? '';
    this.cookie = schemes[0]?.cookie;
  }

  /** The credential of a request; `undefined` where there is none. */
  read(headers: IncomingHttpHeaders): string | undefined {
    if (this.cookie !== undefined) return cookieValues(headers.cookie, this.cookie)[0];
    const value = headers[this.header];
    // One value, which no scheme finds good.
    return typeof value === 'object' ? value.join(', ') : value;
  }

  /**
   * The principal of a credential, without a promise where it is in memory; `undefined` if no scheme takes it.
   *
   * @throws ApiError 401 for a bad credential, and what strategies throw
   */
  verify(request: FastifyRequest, credential: string): Principal | Promise<Principal> | undefined {
    const cached = this.cachedFor(credential);
    if (cached && cached.expiresAt > Date.now()) return this.current(request, cached.principal);
    const scheme = this.schemes.find(({ strategy }) => strategy.accepts?.(credential) ?? true);
    return scheme && (scheme.strategy.recall?.(credential) ?? this.run(scheme, request, credential));
  }

  private async run(
    { strategy, errors }: RegisteredScheme,
    request: FastifyRequest,
    credential: string,
  ): Promise<Principal> {
    const outcome = await runStrategy<Validated>(strategy, request);
    const user = outcome.kind === 'success' ? outcome.user : null;
    if (!user) {
      const reason = outcome.kind === 'failure' ? outcome.reason : undefined;
      throw new ApiError(strategy.refusalFor?.(reason) ?? errors[0]);
    }
    if (!('expiresAt' in user)) return user;
    this.cache(credential, user);
    return this.current(request, user.principal);
  }

  private cachedFor(credential: string): CachedPrincipal | undefined {
    const byEnd = this.cached?.get(credential.slice(-LOOKED_UP_BY));
    if (byEnd === undefined || byEnd.credential === credential) return byEnd;
    const byWhole = this.cached?.get(credential);
    // A short one is the end of others.
    return byWhole?.credential === credential ? byWhole : undefined;
  }

  /** By its end; by the whole of it where another one with that end has the place. */
  private cache(credential: string, user: TemporaryPrincipal): void {
    this.cached ??= new LRUCache({ max: CACHED_PRINCIPALS });
    const end = credential.slice(-LOOKED_UP_BY);
    const other = this.cached.get(end);
    const isTaken = other && other.credential !== credential && other.expiresAt > Date.now();
    // One that was there by the whole of it is older.
    this.cached.delete(credential);
    this.cached.set(isTaken ? credential : end, { ...user, credential });
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
