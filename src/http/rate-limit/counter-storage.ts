import { Injectable, Optional } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';

import { RedisConnection } from '../../redis/redis-connection.js';
import { Counter } from './counter.js';
import { wholeSeconds } from './limit.js';
import { RedisCounter } from './redis-counter.js';
import { WindowCounter } from './window-counter.js';

type StorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * The storage of @nestjs/throttler: O(1) for a hit, bounded in memory, by a monotonic clock, shared by all instances
 * that have a Redis. The one that comes with the package keeps every hit.
 */
@Injectable()
export class CounterStorage implements ThrottlerStorage {
  private readonly counters = new Map<string, Counter>();

  constructor(@Optional() private readonly redis?: RedisConnection) {}

  /** The counter of a name with windows of a length. */
  counter(name: string, windowMs: number): Counter {
    return this.add(name, windowMs, () =>
      this.redis ? new RedisCounter(this.redis, name, windowMs) : new WindowCounter(windowMs),
    );
  }

  /** A counter of this process alone. */
  localCounter(name: string, windowMs: number): WindowCounter {
    return this.add(`local ${name}`, windowMs, () => new WindowCounter(windowMs));
  }

  /** The number of keys that are counted in memory of this process. */
  get size(): number {
    return this.sum(({ size }) => size);
  }

  /** Hits that this process has counted for itself because Redis did not answer. */
  get fallbacks(): number {
    return this.sum(({ fallbacks }) => fallbacks);
  }

  /**
   * Counts for `ThrottlerGuard`, which is left with what is no HTTP: see `RateLimitModule`. A key past its limit is
   * refused until its window ends.
   */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    blockDuration: number,
    name: string,
  ): Promise<StorageRecord> {
    if (blockDuration > ttl)
      throw new Error(`@Throttle({ ${name}: … }) takes no blockDuration beyond its ttl`);
    const { hits, msLeft } = await this.counter(`guard:${name}`, ttl).hit(key);
    const seconds = wholeSeconds(msLeft);
    return { totalHits: hits, timeToExpire: seconds, isBlocked: hits > limit, timeToBlockExpire: seconds };
  }

  private add<T extends Counter>(name: string, windowMs: number, make: () => T): T {
    const id = `${name} ${windowMs}`;
    // Of one name all counters are of one class.
    const counter = (this.counters.get(id) as T | undefined) ?? make();
    this.counters.set(id, counter);
    return counter;
  }

  private sum(of: (counter: Counter) => number): number {
    let sum = 0;
    for (const counter of this.counters.values()) sum += of(counter);
    return sum;
  }
}
