import { ThrottlerStorage } from '@nestjs/throttler';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { RateLimitConfig } from '../../config/config.js';
import { ApiError } from '../errors/api-error.js';
import { addressKey } from './address-key.js';
import { callerKey } from './caller-key.js';
import { limitHeaders, LimitState, tooManyRequests, wholeSeconds } from './limit-headers.js';
import { Throttle } from './throttle.js';
import { CounterThrottlerStorage } from './throttler-storage.js';
import { WindowCounter } from './window-counter.js';

export type RejectCounted = RateLimit['rejectCounted'];

/** The limit of an address, whose callers are not known yet, as a multiple of the limit of a caller. */
const CALLERS_PER_ADDRESS = 10;

/**
 * Counts requests in hooks, before their bodies are read: by address before anything else is done for them, and by caller
 * after authentication. See `@plinth/core/docs/rate-limits.md`.
 */
export class RateLimit {
  private readonly windowMs = this.config.windowSeconds * 1000;
  private readonly addresses = new WindowCounter(this.windowMs);
  /** For requests that no route matches. */
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
    server.addHook('onRequest', (request, reply, done) => {
      const isFree = request.policy?.skipsRateLimit === true;
      const isOver = !isFree && this.addresses.hit(addressKey(request.ip)).hits > limit * CALLERS_PER_ADDRESS;
      // The window of the caller, who is not known yet, may end later. After a whole window both have ended.
      const full = { name: 'default', limit, windowMs, hits: limit, msLeft: windowMs };
      done(isOver ? limitExceeded(reply, full) : undefined);
    });
  }

  registerCallers(server: FastifyInstance): void {
    server.addHook('onRequest', (request, reply) => this.enforceLimits(request, reply));
    server.addHook('onRoute', (route) => {
      const { countRequests } = route.config?.policy ?? {};
      // The request itself was counted by the hook above.
      if (countRequests)
        route.preHandler = (request, reply) =>
          this.enforceLimits(request, reply, countRequests(request.body) - 1);
    });
  }

  /** Counts a request and then rejects it with an error, or with 429 if it exceeds a limit. */
  readonly rejectCounted = async (
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
  ): Promise<never> => {
    await this.enforceLimits(request, reply);
    throw error;
  };

  /**
   * Counts a request, or several at once, under the limits of its route, and sets the headers that show what is left.
   * @throws ApiError `RATE_LIMIT_EXCEEDED` if fewer requests are left; then none of several is counted
   */
  private async enforceLimits(request: FastifyRequest, reply: FastifyReply, times = 1): Promise<void> {
    if (times < 1) return;
    const states: LimitState[] = [];
    for (const throttle of request.policy?.throttles ?? this.general) {
      const { name, limit, ttlMs: windowMs } = throttle;
      // More requests than a window allows would never be served: they count as all of a window.
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
    // The storage of an application counts one by one.
    let record = await this.storage.increment(...hit);
    for (let count = 1; count < times && !record.isBlocked; count++)
      record = await this.storage.increment(...hit);
    return record;
  }
}

/** The key of a caller and a route. The versions of a path share it, and so do HEAD and GET. */
function routeKey(request: FastifyRequest): string {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return `${method} ${request.policy?.route?.replace(/^\/api\/v\d+\//, '/') ?? ''} ${callerKey(request)}`;
}

/** The error for a request above a limit. @param state without the request */
function limitExceeded(reply: FastifyReply, state: LimitState): ApiError {
  const { limit, windowMs, msLeft } = state;
  void reply.headers(limitHeaders([state]));
  return tooManyRequests(`More than ${limit} requests in ${wholeSeconds(windowMs)} seconds`, msLeft);
}
