import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { RateLimitConfig } from '../../config/config.js';
import { addressKey } from './address-key.js';
import { Count, Counter } from './counter.js';
import { CounterStorage } from './counter-storage.js';
import { Limit } from './limit.js';
import { uncountedHeaders } from './rate-limit-headers.js';
import { Counted, RouteLimits } from './route-limits.js';
import { DEFAULT, RouteThrottles } from './throttles.js';
import { WindowCounter } from './window-counter.js';

/** The part of a principal that requests are counted by. */
interface Caller {
  readonly keyId: number | null;
  readonly userId: number | null;
}

/** The key that a request is counted by: its API key, or its user, if they are verified; otherwise its address. */
export function callerKey(request: FastifyRequest): string {
  const caller = (request as { principal?: Caller | null }).principal;
  if (caller?.keyId) return `key ${caller.keyId}`;
  return caller?.userId ? `user ${caller.userId}` : addressKey(request.ip);
}

/** Ends a request with an error, which is counted too: with 429 instead where that exceeds the limit. */
export type Refuse = (
  request: FastifyRequest,
  reply: FastifyReply,
  error: Error,
  done: (error: Error) => void,
) => void;

type Done = (error?: Error) => void;

/** Requests of one address before its callers are known, as a multiple of the limit of a caller. */
const CALLERS_PER_ADDRESS = 10;

/**
 * Counts requests by caller, in one count for all routes but those that have limits of their own; see
 * `docs/rate-limits.md`. An address is counted coarsely before anything is spent on a request, its caller once it is
 * known. Instances that share a Redis share the count of callers; that of addresses protects each instance by itself.
 */
export class RateLimit {
  private readonly general: Limit;
  private readonly callers: Counter;
  private readonly addresses: WindowCounter;
  private readonly ofRoutes: RouteLimits;
  private readonly uncounted: Readonly<Record<string, string>>;

  constructor(
    private readonly config: RateLimitConfig,
    storage: CounterStorage,
  ) {
    const windowMs = config.windowSeconds * 1000;
    this.general = new Limit(DEFAULT, config.limit, windowMs);
    this.callers = storage.counter('requests', windowMs);
    this.addresses = storage.instanceCounter('addresses', windowMs);
    this.ofRoutes = new RouteLimits(config, storage, callerKey);
    this.uncounted = uncountedHeaders(config);
  }

  /** Registers the count of addresses, before authentication. */
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
      // The caller is not known yet; a caller who is counted by address may have to wait for that count too.
      const caller = this.callers instanceof WindowCounter ? this.callers.peek(key) : undefined;
      const isUsedUp = caller !== undefined && caller.hits >= this.config.limit;
      done(this.general.refuse(reply, isUsedUp ? Math.max(msLeft, caller.msLeft) : msLeft));
    });
  }

  /** Registers the count of callers, after authentication. */
  registerCallers(server: FastifyInstance): void {
    server.addHook('onRequest', (request, reply, done) => {
      const throttles = request.policy?.throttles;
      if (throttles) this.chargeRoute(throttles, request, reply).then(done, done);
      else this.charge(request, reply, done);
    });
  }

  /**
   * Counts a request against its caller under the general limit.
   *
   * @param done called with an error where the limit is exceeded; at once where no other process is asked
   */
  charge(request: FastifyRequest, reply: FastifyReply, done: Done): void {
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

  /** Counts a request under the limits of its route, and the general one unless the route has one in its place. */
  private async chargeRoute(
    throttles: RouteThrottles,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Error | undefined> {
    const counted = await this.ofRoutes.count(throttles, request, reply);
    const isReplaced = throttles.limits.some(({ name }) => name === DEFAULT);
    if (!isReplaced && !request.policy?.isUncounted && this.config.limit > 0)
      counted.push({ limit: this.general, count: await this.callers.hit(callerKey(request)) });
    const exceeded = counted.filter(({ limit, count }) => limit.isExceeded(count));
    const [longest] = exceeded.sort((a, b) => b.count.msLeft - a.count.msLeft);
    if (longest) return longest.limit.refuse(reply, this.untilFree(request, longest.count.msLeft));
    const [tightest] = counted.sort((a, b) => left(a) - left(b) || b.count.msLeft - a.count.msLeft);
    if (tightest) tightest.limit.describe(reply, tightest.count);
    else void reply.headers(this.uncounted);
    return undefined;
  }

  private judge(count: Count, request: FastifyRequest, reply: FastifyReply): Error | undefined {
    if (this.general.isExceeded(count)) {
      return this.general.refuse(reply, this.untilFree(request, count.msLeft));
    }
    this.general.describeRest(reply, count);
    return undefined;
  }

  /** An address whose own count is used up meanwhile waits for the later of the two. */
  private untilFree(request: FastifyRequest, msLeft: number): number {
    if (this.config.limit === 0) return msLeft;
    const address = this.addresses.peek(addressKey(request.ip));
    const isUsedUp = address.hits >= this.config.limit * CALLERS_PER_ADDRESS;
    return isUsedUp ? Math.max(msLeft, address.msLeft) : msLeft;
  }
}

const left = ({ limit, count }: Counted): number => limit.requests - count.hits;
