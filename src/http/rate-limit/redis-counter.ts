import { PRODUCT } from '../../config/product.js';
import { RedisConnection } from '../../redis/redis-connection.js';
import { Count, Counter } from './counter.js';
import { WindowCounter } from './window-counter.js';

/**
 * Counts, or looks up, in one step. In: the length of a window, 1 for a hit, and the hits and milliseconds left that
 * the instance knows by itself. Out: hits and milliseconds left. Hits that an instance counted while Redis was away
 * stay counted, unless they are of an earlier window.
 */
const COUNT = `
local window, added, known, knownLeft = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local hits = tonumber(redis.call('GET', KEYS[1]) or '0')
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then
  hits = 0
  left = knownLeft
end
if known > hits and left - knownLeft <= window / 2 then hits = known end
if added > 0 then
  hits = hits + added
  redis.call('SET', KEYS[1], hits, 'PX', left)
end
return { hits, left }`;

/** The pause after a failure of Redis, so that requests do not wait for one answer after the other. */
const PAUSE_MS = 1_000;

/** One count for all instances, in Redis. While Redis is away, each counts for itself, from what it knew last. */
export class RedisCounter implements Counter {
  fallbacks = 0;
  private readonly own: WindowCounter;
  private pausedUntil = 0;
  /** Until when this process may know of hits that Redis does not. */
  private aheadUntil = 0;

  /** @param name distinguishes the keys of this counter from those of others */
  constructor(
    private readonly redis: RedisConnection,
    private readonly name: string,
    private readonly windowMs: number,
  ) {
    this.own = new WindowCounter(windowMs);
  }

  hit(key: string): Promise<Count> {
    return this.ask(key, 1);
  }

  peek(key: string): Promise<Count> {
    return this.ask(key, 0);
  }

  get size(): number {
    return this.own.size;
  }

  private async ask(key: string, added: 0 | 1): Promise<Count> {
    const now = performance.now();
    if (!this.redis.isReady || now < this.pausedUntil) return this.askOwn(key, added);
    const known = now < this.aheadUntil ? this.own.peek(key) : { hits: 0, msLeft: this.windowMs };
    const name = `${PRODUCT.redisPrefix}count:${this.name}:${key}`;
    const values = [this.windowMs, added, known.hits, known.msLeft];
    try {
      const answer = await this.redis.call((client) => client.eval(COUNT, 1, name, ...values));
      const [hits, msLeft] = answer as [number, number];
      if (hits > 0) this.own.raise(key, { hits, msLeft });
      return { hits, msLeft };
    } catch {
      this.pausedUntil = performance.now() + PAUSE_MS;
      return this.askOwn(key, added);
    }
  }

  private askOwn(key: string, added: 0 | 1): Count {
    if (added === 0) return this.own.peek(key);
    this.fallbacks++;
    this.aheadUntil = performance.now() + this.windowMs;
    return this.own.hit(key);
  }
}
