import { isIPv6 } from 'node:net';

import { Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { RateLimitConfig } from '../../config/config.js';
import { ApiError } from '../errors/api-error.js';
import { HttpErrors } from '../errors/http.errors.js';
import { RoutePolicy } from '../../routes/route-policy.js';
import { requestCaller } from '../request-caller.js';
import { Count, CounterStorage, WindowCounter } from './counter-storage.js';

export type RejectCounted = RateLimit['rejectCounted'];

/** Rounded up, and at least 1: a client that waits that long gets through. */
const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** Requests of one address before its callers are known, as a multiple of the limit of a caller. */
const CALLERS_PER_ADDRESS = 10;

/** Counts requests by caller, and by address before anything is spent on them; see `@plinth/core/docs/rate-limits.md`. */
export class RateLimit {
  private readonly windowMs = this.config.windowSeconds * 1000;
  private readonly addresses = new WindowCounter(this.windowMs);

  constructor(
    private readonly config: RateLimitConfig,
    private readonly storage: CounterStorage,
  ) {}

  registerAddresses(server: FastifyInstance): void {
    const { limit } = this.config;
    if (limit === 0) return;
    server.addHook('onRequest', (request, reply, done) => {
      const isFree = request.policy?.skipsRateLimit === true;
      const isOver = !isFree && this.addresses.hit(addressKey(request.ip)).hits > limit * CALLERS_PER_ADDRESS;
      // The count of the caller, who is not known yet, may end later: after a whole window both have ended.
      const full = { hits: limit, msLeft: this.windowMs };
      done(isOver ? limitExceeded(reply, limit, this.windowMs, full) : undefined);
    });
  }

  registerCallers(server: FastifyInstance): void {
    server.addHook('onRequest', (request, reply) => this.enforceLimit(request, reply));
    server.addHook('onRoute', (route) => {
      const { countRequests } = route.config?.policy ?? {};
      if (countRequests)
        route.preHandler = (request, reply) =>
          this.enforceLimit(request, reply, countRequests(request.body) - 1);
    });
  }

  /** Ends a request with an error, which is counted too: with 429 instead where that exceeds the limit. */
  readonly rejectCounted = async (
    request: FastifyRequest,
    reply: FastifyReply,
    error: unknown,
  ): Promise<never> => {
    await this.enforceLimit(request, reply);
    throw error;
  };

  /**
   * Counts a request against its caller, or several, under the limit of its route or the general one. Where fewer are
   * left, none of several is counted; more than there are in a window count as all of them.
   * @throws ApiError `RATE_LIMIT_EXCEEDED`
   */
  private async enforceLimit(request: FastifyRequest, reply: FastifyReply, times = 1): Promise<void> {
    const { throttle, skipsRateLimit } = request.policy ?? {};
    const requests = throttle?.limit ?? this.config.limit;
    if (skipsRateLimit || requests === 0) return;
    const windowMs = throttle?.ttl ?? this.windowMs;
    const counter = this.storage.counter(throttle ? 'throttle' : 'requests', windowMs);
    // One that is there has been counted before several.
    const added = times === 1 ? 1 : Math.min(times, requests - 1);
    const count = await counter.hit(throttle ? routeKey(request) : callerKey(request), added, requests);
    if (count.hits > requests)
      throw limitExceeded(reply, requests, windowMs, { ...count, hits: count.hits - added });
    void reply.headers(limitHeaders(requests, windowMs, count));
  }
}

/** Tells callers apart whose limits are separate: a user, with all of their API keys; without credentials an address. */
export function callerKey(request: FastifyRequest): string {
  const userId = requestCaller(request)?.userId;
  return userId ? `user ${userId}` : addressKey(request.ip);
}

/** Under the limit of a route, the caller of that route: versions of a path, and HEAD and GET, share a count. */
function routeKey(request: FastifyRequest): string {
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return `${method} ${request.policy?.route?.replace(/^\/api\/v\d+\//, '/') ?? ''} ${callerKey(request)}`;
}

/** The error for a request past a limit. @param count without it */
function limitExceeded(reply: FastifyReply, requests: number, windowMs: number, count: Count): ApiError {
  void reply.headers(limitHeaders(requests, windowMs, count));
  return tooManyRequests(`More than ${requests} requests in ${wholeSeconds(windowMs)} seconds`, count.msLeft);
}

export function tooManyRequests(what: string, msLeft: number): ApiError {
  const seconds = wholeSeconds(msLeft);
  const headers = { 'retry-after': String(seconds) };
  return new ApiError(HttpErrors.RATE_LIMIT_EXCEEDED, `${what}; wait ${seconds} seconds.`, { headers });
}

/** The headers of a response whose request is not counted: the whole general limit is left. */
export function fullLimitHeaders({ limit, windowSeconds }: RateLimitConfig): Record<string, string> {
  const windowMs = windowSeconds * 1000;
  return limit === 0 ? {} : limitHeaders(limit, windowMs, { hits: 0, msLeft: windowMs });
}

function limitHeaders(limit: number, windowMs: number, { hits, msLeft }: Count): Record<string, string> {
  const left = Math.max(0, limit - hits);
  const seconds = wholeSeconds(msLeft);
  return {
    'ratelimit-policy': `"default";q=${limit};w=${wholeSeconds(windowMs)}`,
    ratelimit: `"default";r=${left};t=${seconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(left),
    'x-ratelimit-reset': String(seconds),
  };
}

/** The key that an address is counted by: of IPv4, mapped too, the address; of IPv6 the /64, which one customer has. */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address;
  // The one spelling of an address (RFC 5952), which URLs have; a zone is no part of it.
  const { hostname } = new URL(`http://[${address.split('%', 1)[0] ?? ''}]`);
  const groups = hostname.slice(1, -1).split('::');
  const [first = [], last = []] = groups.map((part) => part.split(':').filter(Boolean));
  // A mapped address.
  if (first.length === 0 && last[0] === 'ffff' && last.length === 3)
    return last.slice(1).flatMap(bytesInGroup).join('.');
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

const bytesInGroup = (group: string): number[] => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255];

const reflector = new Reflector();

/** The policy of `@Throttle()` and `@SkipThrottle()` of @nestjs/throttler. @throws Error at start for what is not served */
export function readThrottlePolicy(controller: Type, handler: { readonly name: string }): RoutePolicy {
  // The metadata of @nestjs/throttler: it exports decorators, and no way to read what they said.
  const said = (option: string): unknown =>
    reflector.getAllAndOverride(`THROTTLER:${option}default`, [handler as Type, controller]);
  if (said('SKIP')) return { skipsRateLimit: true };
  const [limit, ttl] = [said('LIMIT'), said('TTL')];
  for (const value of [limit, ttl])
    if (value !== undefined && !(Number.isSafeInteger(value) && Number(value) > 0))
      throw new Error(
        `${controller.name}.${handler.name}: @Throttle() takes numbers of 1 or more, not ${JSON.stringify(value)}`,
      );
  const throttle = { limit, ttl } as NonNullable<RoutePolicy['throttle']>;
  return (limit ?? ttl) === undefined ? {} : { throttle };
}
