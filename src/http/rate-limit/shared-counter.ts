import { PRODUCT } from '../../config/product.js';
import { RedisConnection } from '../../redis/redis-connection.js';
import { Count, Counter } from './counter.js';
import { FallbackCounter } from './fallback-counter.js';
import { WindowCounter } from './window-counter.js';
import { WorkerCounter } from './worker-counter.js';
import { WorkerCounts } from './worker-counts.js';

/**
 * Counts, or looks up, in one step: the length of a window, 1 for a hit, and what the instance knows by itself, hits
 * and milliseconds left, go in; hits and milliseconds left come out. Hits that an instance counted while Redis was away
 * go on to count, unless they are of an earlier window.
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

  protected askShared(key: string, isHit: boolean, known: Count): Promise<Count> | undefined {
    if (!this.redis.isReady) return undefined;
    const name = `${PRODUCT.redisPrefix}count:${this.name}:${key}`;
    const values = [this.windowMs, isHit ? 1 : 0, known.hits, known.msLeft];
    return this.redis
      .call(isHit ? 'count hit' : 'count peek', (client) => client.eval(COUNT, 1, name, ...values))
      .then((answer) => {
        const [hits, msLeft] = answer as [number, number];
        return { hits, msLeft };
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
