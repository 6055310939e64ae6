import { PRODUCT } from '../../config/product.js';
import { RedisConnection } from '../../redis/redis-connection.js';
import { Count, Counter } from './counter.js';
import { FallbackCounter } from './fallback-counter.js';
import { WindowCounter } from './window-counter.js';
import { WorkerCounter } from './worker-counter.js';
import { WorkerCounts } from './worker-counts.js';

/** Returns the count and the milliseconds left, in one step. A key without an expiry gets one. */
const HIT = `
local hits = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return { hits, left }`;
const PEEK = `return { tonumber(redis.call('GET', KEYS[1]) or '0'), redis.call('PTTL', KEYS[1]) }`;

/** One count for all instances, in Redis. */
export class SharedCounter extends FallbackCounter {
  /** @param name distinguishes the keys of this counter from those of others */
  constructor(
    private readonly redis: RedisConnection,
    private readonly name: string,
    windowMs: number,
  ) {
    super(windowMs);
  }

  protected askShared(key: string, isHit: boolean): Promise<Count> | undefined {
    if (!this.redis.isReady) return undefined;
    const [call, script] = isHit ? ['count hit', HIT] : ['count peek', PEEK];
    const name = `${PRODUCT.redisPrefix}count:${this.name}:${key}`;
    return this.redis
      .call(call, (client) => client.eval(script, 1, name, this.windowMs))
      .then((answer) => {
        const [hits, msLeft] = answer as [number, number];
        return { hits, msLeft: msLeft < 0 ? this.windowMs : msLeft };
      });
  }
}

/** Those that a process shares counts with. */
export interface CountSharing {
  /** For all instances. */
  readonly redis?: RedisConnection | undefined;
  /** For all workers of an instance. */
  readonly workers?: WorkerCounts | undefined;
}

/** A counter that instances share through Redis, if one is configured, and else the workers of each instance. */
export function createCounter(name: string, windowMs: number, { redis, workers }: CountSharing): Counter {
  if (redis) return new SharedCounter(redis, name, windowMs);
  return workers ? new WorkerCounter(workers, name, windowMs) : new WindowCounter(windowMs);
}
