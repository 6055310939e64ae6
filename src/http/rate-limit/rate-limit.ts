import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { RateLimitConfig } from '../../config/config.js';
import { RedisConnection } from '../../redis/redis-connection.js';
import { ApiError } from '../errors/api-error.js';
import { RATE_LIMIT_EXCEEDED } from '../errors/http.errors.js';
import { routePolicy } from '../route-policy.js';
import { addressKey } from './address-key.js';
import { Count, Counter } from './counter.js';
import { uncountedHeaders } from './rate-limit-headers.js';
import { createCounter } from './shared-counter.js';
import { WindowCounter } from './window-counter.js';

declare module '../route-policy.js' {
  interface RoutePolicy {
    /** Requests are neither counted nor limited. */
    isUncounted?: boolean;
  }
}

/** A route whose requests are neither counted nor limited: what a balancer asks must not use up what clients have. */
export function Uncounted(): MethodDecorator {
  return routePolicy({ isUncounted: true });
}

/** As far as limits know who calls. */
interface Caller {
  readonly keyId: number | null;
  readonly userId: number | null;
}

/** Whom a request is counted for: the key, or the user, that was proved; else the address. */
export function callerKey(request: FastifyRequest): string {
  const caller = (request as { principal?: Caller | null }).principal;
  if (caller?.keyId) return `key ${caller.keyId}`;
  return caller?.userId ? `user ${caller.userId}` : addressKey(request.ip);
}

/** Ends a request with an error or, where it was one request too many, with that: a refused request has its price. */
export type Refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: Error,
  done: (error: Error) => void,
) => void;

/** How many callers' worth of requests one address may send before it is known who calls. */
const CALLERS_PER_ADDRESS = 10;

/**
 * Counts requests by caller, one count for all routes, in O(1) and bounded memory; see `docs/rate-limits.md`.
 * An address is counted coarsely before anything is spent on a request, its caller once it is known. Instances
 * share the count of callers where they share a Redis; that of addresses protects each of them by itself.
 */
export class RateLimit {
  private readonly callers: Counter;
  private readonly addresses: WindowCounter;
  private readonly policy: string;
  private readonly uncounted: Readonly<Record<string, string>>;

  constructor(
    private readonly config: RateLimitConfig,
    redis?: RedisConnection,
  ) {
    const windowMs = config.windowSeconds * 1000;
    this.callers = createCounter('requests', windowMs, redis);
    this.addresses = new WindowCounter(windowMs);
    this.policy = `"default";q=${config.limit};w=${config.windowSeconds}`;
    this.uncounted = uncountedHeaders(config);
  }

  /** The count of addresses: to be registered before authentication. */
  registerAddresses(server: FastifyInstance): void {
    if (this.config.limit === 0) return;
    const limit = this.config.limit * CALLERS_PER_ADDRESS;
    server.addHook('onRequest', (request, reply, done) => {
      if (request.policy?.isUncounted) {
        done();
        return;
      }
      const key = addressKey(request.ip);
      const { hits, msLeft } = this.addresses.hit(key);
      if (hits <= limit) {
        done();
        return;
      }
      // Who calls is not known yet; whoever is counted by address may have to wait for that count too.
      const caller = this.callers instanceof WindowCounter ? this.callers.peek(key) : undefined;
      const isUsedUp = caller !== undefined && caller.hits >= this.config.limit;
      done(this.refuse(reply, isUsedUp ? Math.max(msLeft, caller.msLeft) : msLeft));
    });
  }

  /** The count of callers: to be registered after authentication. */
  registerCallers(server: FastifyInstance): void {
    if (this.config.limit === 0) return;
    server.addHook('onRequest', (request, reply, done) => {
      this.charge(request, reply, done);
    });
  }

  /**
   * Counts a request against its caller: the key or user where one was proved, else the address.
   *
   * @param done called with the error where that is one too many; at once where no other process is asked
   */
  charge(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
    if (this.config.limit === 0) {
      done();
      return;
    }
    if (request.policy?.isUncounted) {
      void reply.headers(this.uncounted);
      done();
      return;
    }
    const count = this.callers.hit(callerKey(request));
    if (count instanceof Promise) {
      void count.then((counted) => {
        done(this.judge(counted, request, reply));
      }, done);
    } else {
      done(this.judge(count, request, reply));
    }
  }

  private judge({ hits, msLeft }: Count, request: FastifyRequest, reply: FastifyReply): Error | undefined {
    const { limit } = this.config;
    if (hits <= limit) {
      this.describe(reply, limit - hits, msLeft);
      return undefined;
    }
    // An address whose own count is used up meanwhile has to wait for the later of the two.
    const address = this.addresses.peek(addressKey(request.ip));
    const isUsedUp = address.hits >= limit * CALLERS_PER_ADDRESS;
    return this.refuse(reply, isUsedUp ? Math.max(msLeft, address.msLeft) : msLeft);
  }

  private refuse(reply: FastifyReply, msLeft: number): ApiError {
    this.describe(reply, 0, msLeft);
    const seconds = wholeSeconds(msLeft);
    const { limit, windowSeconds } = this.config;
    const message = `More than ${limit} requests in ${windowSeconds} seconds; wait ${seconds} seconds.`;
    return new ApiError(RATE_LIMIT_EXCEEDED, message, { headers: { 'retry-after': String(seconds) } });
  }

  private describe(reply: FastifyReply, left: number, msLeft: number): void {
    const seconds = wholeSeconds(msLeft);
    void reply
      .header('ratelimit-policy', this.policy)
      .header('ratelimit', `"default";r=${left};t=${seconds}`)
      .header('x-ratelimit-limit', this.config.limit)
      .header('x-ratelimit-remaining', left)
      .header('x-ratelimit-reset', seconds);
  }
}

/** Rounded up, and never nothing: whoever waits that long gets through. */
const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
