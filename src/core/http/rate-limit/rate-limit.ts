import { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { RateLimitConfig } from '../../config/config.js';
import { addressKey } from './address-key.js';
import { CounterStorage } from './counter-storage.js';
import { Limit, uncountedHeaders } from './limit.js';
import { DEFAULT, Throttle } from './throttles.js';
import { Count, WindowCounter } from './window-counter.js';

/** The part of a principal that requests are counted by. */
interface Caller {
  readonly keyId: number | null;
  readonly userId: number | null;
}

/** The key that a request is counted by: its API key, or its user, if they are verified; otherwise its address. */
function callerKey(request: FastifyRequest): string {
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

/** Requests of one address before its callers are known, as a multiple of the limit of a caller. */
const CALLERS_PER_ADDRESS = 10;

/**
 * Counts requests by caller, in one count for all routes but those that have limits of their own; see
 * `docs/rate-limits.md`. An address is counted coarsely before anything is spent on a request, its caller once it is
 * known. Instances that share a Redis share the count of callers; that of addresses protects each instance by itself.
 */
export class RateLimit {
  /** `undefined`: `RATE_LIMIT=0`. */
  private readonly general: Limit | undefined;
  private readonly addresses: WindowCounter;

  constructor(
    private readonly config: RateLimitConfig,
    private readonly storage: CounterStorage,
  ) {
    const windowMs = config.windowSeconds * 1000;
    const callers = storage.counter('requests', windowMs);
    this.general = config.limit > 0 ? new Limit(DEFAULT, config.limit, windowMs, callers) : undefined;
    this.addresses = new WindowCounter(windowMs);
  }

  /** Registers the count of addresses, before authentication. */
  registerAddresses(server: FastifyInstance): void {
    const { general } = this;
    if (!general) return;
    server.addHook('onRequest', (request, reply, done) => {
      const key = addressKey(request.ip);
      if (request.policy?.isUncounted || this.addresses.hit(key).hits <= this.mostPerAddress) {
        done();
        return;
      }
      // The caller is not known yet; one who is counted by address may have to wait for that count too.
      const caller = general.counter instanceof WindowCounter ? general.counter.peek(key) : undefined;
      const msLeft = caller && caller.hits >= general.requests ? caller.msLeft : 0;
      done(general.refuse(reply, this.untilFree(request, msLeft)));
    });
  }

  /** Registers the count of callers, after authentication. */
  registerCallers(server: FastifyInstance): void {
    server.addHook('onRequest', async (request, reply) => {
      const refused = await this.charge(request, reply, request.policy?.throttles);
      if (refused) throw refused;
    });
  }

  /**
   * Counts a request against its caller, under the general limit and those of its route, of which one may take the
   * general one's place.
   *
   * @returns the error where a limit is exceeded
   */
  async charge(
    request: FastifyRequest,
    reply: FastifyReply,
    throttles: readonly Throttle[] = [],
  ): Promise<Error | undefined> {
    const limits = this.limitsOf(throttles);
    const isReplaced = limits.some(({ name }) => name === DEFAULT);
    const { general } = this;
    if (general && !isReplaced && !request.policy?.isUncounted) limits.push(general);
    const counted = await Promise.all(
      limits.map(async (limit) => ({
        limit,
        count: await limit.counter.hit(keyOf(request, limit === general)),
      })),
    );
    const exceeded = counted.filter(({ limit, count }) => limit.isExceeded(count));
    const [longest] = exceeded.sort((a, b) => b.count.msLeft - a.count.msLeft);
    if (longest) return longest.limit.refuse(reply, this.untilFree(request, longest.count.msLeft));
    const [tightest] = counted.sort((a, b) => left(a) - left(b) || b.count.msLeft - a.count.msLeft);
    if (tightest) tightest.limit.describe(reply, tightest.count);
    else void reply.headers(uncountedHeaders(this.config));
    return undefined;
  }

  private limitsOf(throttles: readonly Throttle[]): Limit[] {
    return throttles.flatMap(({ name, limit = this.config.limit, ttl = this.config.windowSeconds * 1000 }) =>
      // Without a general limit, `RATE_LIMIT=0`, there is nothing to take from it.
      limit === 0 ? [] : new Limit(name, limit, ttl, this.storage.counter(`throttle:${name}`, ttl)),
    );
  }

  /** An address whose own count is used up meanwhile waits for the later of the two. */
  private untilFree(request: FastifyRequest, msLeft: number): number {
    const address = this.addresses.peek(addressKey(request.ip));
    const isUsedUp = this.general !== undefined && address.hits >= this.mostPerAddress;
    return isUsedUp ? Math.max(msLeft, address.msLeft) : msLeft;
  }

  private get mostPerAddress(): number {
    return this.config.limit * CALLERS_PER_ADDRESS;
  }
}

/** Under the limit of a route, the caller of that route: versions of a path, and HEAD and GET, share a count. */
function keyOf(request: FastifyRequest, isGeneral: boolean): string {
  const caller = callerKey(request);
  if (isGeneral) return caller;
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return `${method} ${request.policy?.route?.replace(/^\/api\/v\d+\//, '/') ?? ''} ${caller}`;
}

const left = ({ limit, count }: { limit: Limit; count: Count }): number => limit.requests - count.hits;
