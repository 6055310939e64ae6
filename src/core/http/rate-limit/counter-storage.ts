import { Injectable, Optional } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';

import { RedisConnection } from '../../redis/redis-connection.js';
import { wholeSeconds } from './limit.js';
import { RedisCounter } from './redis-counter.js';
import { Counter, WindowCounter } from './window-counter.js';

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
    const id = `${name} ${windowMs}`;
    let counter = this.counters.get(id);
    if (!counter) {
      counter = this.redis ? new RedisCounter(this.redis, name, windowMs) : new WindowCounter(windowMs);
      this.counters.set(id, counter);
    }
    return counter;
  }

  /**
   * Counts for `ThrottlerGuard`, which is left with what is no HTTP: see `RateLimitModule`. A key past its limit is
   * refused until its window ends.
   */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    _blockDuration: number,
    name: string,
  ): Promise<StorageRecord> {
    const { hits, msLeft } = await this.counter(`guard:${name}`, ttl).hit(key);
    const seconds = wholeSeconds(msLeft);
    return { totalHits: hits, timeToExpire: seconds, isBlocked: hits > limit, timeToBlockExpire: seconds };
  }
}
