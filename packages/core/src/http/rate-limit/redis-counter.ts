import { PRODUCT } from '../../config/product.js';
import { RedisConnection } from '../../redis/redis-connection.js';
import { Count, Counter } from './counter.js';
import { WindowCounter } from './window-counter.js';

/**
 * Counts hits, or looks up the count, in one atomic step. Follows the same rules as `WindowCounter`. Arguments: the
 * length of a window in ms, hits, the limit, the length of a block in ms. Result: hits, milliseconds left.
 */
const COUNT_SCRIPT = `
local before = tonumber(redis.call('GET', KEYS[1]) or '0')
local hits = before + tonumber(ARGV[2])
local limit = tonumber(ARGV[3])
if hits > limit and before <= limit and ARGV[4] ~= '0' then
  redis.call('SET', KEYS[1], hits, 'PX', ARGV[4])
elseif ARGV[2] ~= '0' and hits <= limit then
  redis.call('INCRBY', KEYS[1], ARGV[2])
end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  if hits > 0 then redis.call('PEXPIRE', KEYS[1], left) end
end
return { hits, left }`;

/** After a failure, Redis is not called for this long. Otherwise each request would have to wait for a failure. */
const PAUSE_MS = 1_000;

/** Counts in Redis, for all instances together. While Redis fails, each process counts in its own memory. */
export class RedisCounter implements Counter {
  private readonly fallback = new WindowCounter(this.windowMs, this.blockMs);
  private pausedUntil = 0;

  constructor(
    private readonly redis: RedisConnection,
    private readonly name: string,
    private readonly windowMs: number,
    private readonly blockMs: number,
  ) {}

  async hit(key: string, times = 1, limit: number = Number.MAX_SAFE_INTEGER): Promise<Count> {
    if (this.redis.client.status === 'ready' && performance.now() >= this.pausedUntil) {
      const name = `${PRODUCT.redisPrefix}count:${this.name}:${key}`;
      const values = [this.windowMs, times, limit, this.blockMs];
      try {
        const result = await this.redis.call((client) => client.eval(COUNT_SCRIPT, 1, name, ...values));
        const [hits, msLeft] = result as [number, number];
        return { hits, msLeft };
      } catch {
        this.pausedUntil = performance.now() + PAUSE_MS;
      }
    }
    return this.fallback.hit(key, times, limit);
  }
}
