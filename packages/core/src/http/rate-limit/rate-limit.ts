import { ThrottlerStorage } from '@nestjs/throttler';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { RateLimitConfig } from '../../config/config.js';
import { highestRoleRateLimit, roleRateLimit } from '../../config/define-access.js';
import { ApiError } from '../errors/api-error.js';
import { requestCaller } from '../request-caller.js';
import { addressKey } from './address-key.js';
import { callerKey } from './caller-key.js';
import { limitHeaders, LimitState, tooManyRequests, wholeSeconds } from './limit-headers.js';
import { Throttle } from './throttle.js';
import { CounterThrottlerStorage } from './throttler-storage.js';
import { WindowCounter } from './window-counter.js';

export type RejectCounted = RateLimit['rejectCounted'];

/** The limit of an address is this many times the highest limit of a caller, because many callers may share an address. */
const CALLERS_PER_ADDRESS = 10;

/**
 * Counts requests in hooks, before their bodies are read. The first hook counts them by address, before authentication.
 * The second hook counts them by caller, after authentication. See `@plinth/core/docs/rate-limits.md`.
 */
export class RateLimit {
  private readonly windowMs = this.config.windowSeconds * 1000;
  private readonly addresses = new WindowCounter(this.windowMs);
  /** The limits of requests that match no route. */
  private readonly general: readonly Throttle[] =
    this.config.limit === 0
      ? []
      : [{ name: 'default', limit: this.config.limit, ttlMs: this.windowMs, blockMs: 0, scope: 'caller' }];

  constructor(
    private readonly config: RateLimitConfig,
    private readonly storage: ThrottlerStorage,
  ) {}

  registerAddresses(server: FastifyInstance): void {
    const { limit } = this.config;
    if (limit === 0) return;
    const { windowMs } = this;
    const most = Math.max(limit, highestRoleRateLimit()) * CALLERS_PER_ADDRESS;
    server.addHook('onRequest', (request, reply, done) => {
      const isFree = request.policy?.skipsRateLimit === true;
      const isOver = !isFree && this.addresses.hit(addressKey(request.ip)).hits > most;
      // The caller is not known yet, and their own window may end later than the window of the address. Report a whole
      // window, because after this time both windows have ended.
      const full = { name: 'default', limit, windowMs, hits: limit, msLeft: windowMs };
      done(isOver ? limitExceeded(reply, full) : undefined);
    });
  }

  registerCallers(server: FastifyInstance): void {
    server.addHook('onRequest', (request, reply) => this.enforceLimits(request, reply));
    server.addHook('onRoute', (route) => {
      const { countRequests } = route.config?.policy ?? {};
      // The hook above has counted the request as one. Count only the operations after the first.
      if (countRequests)
        route.preHandler = (request, reply) =>
          this.enforceLimits(request, reply, countRequests(request.body) - 1);
    });
  }

  /** Counts a request, and rejects it with the given error, or with 429 if the request exceeds a limit. */
  readonly rejectCounted = async (
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
  ): Promise<never> => {
    await this.enforceLimits(request, reply);
    throw error;
  };

  /**
   * Counts a request under the limits of its route, and sets the headers that show how many requests are left.
   * @param times how many requests to count. If they exceed a limit, none of them is counted under that limit
   * @throws ApiError `RATE_LIMIT_EXCEEDED`
   */
  private async enforceLimits(request: FastifyRequest, reply: FastifyReply, times = 1): Promise<void> {
    if (times < 1) return;
    const states: LimitState[] = [];
    for (const declared of request.policy?.throttles ?? this.general) {
      const throttle = withRoleLimit(declared, request);
      const { name, limit, ttlMs: windowMs } = throttle;
      // A batch with more operations than the limit would never be served. Count such a batch as `limit` requests. One
      // of them has already been counted.
      const added = times === 1 ? 1 : Math.min(times, limit - 1);
      const record = await this.count(throttle, added, request);
      const { totalHits: hits, isBlocked, timeToExpire, timeToBlockExpire } = record;
      const msLeft = (isBlocked ? timeToBlockExpire : timeToExpire) * 1000;
      if (isBlocked) throw limitExceeded(reply, { name, limit, windowMs, hits: hits - added, msLeft });
      states.push({ name, limit, windowMs, hits, msLeft });
    }
    void reply.headers(limitHeaders(states));
  }

  private async count(
    { name, limit, ttlMs, blockMs, scope }: Throttle,
    times: number,
    request: FastifyRequest,
  ): ReturnType<ThrottlerStorage['increment']> {
    const key = scope === 'route' ? routeKey(request) : callerKey(request);
    const hit = [key, ttlMs, limit, blockMs, name] as const;
    if (this.storage instanceof CounterThrottlerStorage) return this.storage.incrementBy(times, ...hit);
    // A storage that the application provides counts only one request at a time.
    let record = await this.storage.increment(...hit);
    for (let count = 1; count < times && !record.isBlocked; count++)
      record = await this.storage.increment(...hit);
    return record;
  }
}

/** Replaces the general limit by that of the caller's role, if the role declares one. */
function withRoleLimit(throttle: Throttle, request: FastifyRequest): Throttle {
  const limit = throttle.scope === 'caller' ? roleRateLimit(requestCaller(request)?.role ?? '') : undefined;
  return limit === undefined ? throttle : { ...throttle, limit };
}

/** Returns the key of a caller and a route. All versions of a path share a key, and so do HEAD and GET. */
function routeKey(request: FastifyRequest): string {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return `${method} ${request.policy?.route?.replace(/^\/api\/v\d+\//, '/') ?? ''} ${callerKey(request)}`;
}

/**
 * Returns the error for a request above a limit, and sets the headers that show the limit.
 * @param state the state before the request
 */
function limitExceeded(reply: FastifyReply, state: LimitState): ApiError {
  const { limit, windowMs, msLeft } = state;
  void reply.headers(limitHeaders([state]));
  return tooManyRequests(`More than ${limit} requests in ${wholeSeconds(windowMs)} seconds`, msLeft);
}
