import { Injectable, Optional } from '@nestjs/common';
import { ThrottlerStorage } from '@nestjs/throttler';

import { RedisConnection } from '../../redis/redis-connection.js';
import { Count, Counter } from './counter.js';
import { Counters } from './counters.js';
import { createCounter } from './shared-counter.js';
import { WindowCounter } from './window-counter.js';
import { ReportedCounter } from './worker-counter.js';
import { WorkerCounts } from './worker-counts.js';

type StorageRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** A limit on the hits of a key. */
export interface KeyLimit {
  /** Names the counter. */
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  /** How long a key past its limit is refused; at least until its window ends. */
  readonly blockMs?: number;
}

/**
 * The storage of @nestjs/throttler: O(1) for a hit, bounded in memory, by a monotonic clock, shared by all instances
 * that have a Redis. The one that comes with the package keeps every hit.
 */
@Injectable()
export class CounterStorage implements ThrottlerStorage {
  private readonly counters = new Counters<Counter>((name, windowMs) =>
    createCounter(name, windowMs, { redis: this.redis, workers: this.workers }),
  );

  private readonly instanceCounters: WindowCounter[] = [];

  constructor(
    @Optional() private readonly redis?: RedisConnection,
    @Optional() private readonly workers?: WorkerCounts,
  ) {}

  /** The counter of a name with windows of a length. */
  counter(name: string, windowMs: number): Counter {
    return this.counters.of(name, windowMs);
  }

  /** A counter of this instance alone, which answers at once; of all its workers, as far as is known at that moment. */
  instanceCounter(name: string, windowMs: number): WindowCounter {
    const counter = this.workers
      ? new ReportedCounter(this.workers, name, windowMs)
      : new WindowCounter(windowMs);
    this.instanceCounters.push(counter);
    return counter;
  }

  /** The number of keys that are counted in memory of this process. */
  get size(): number {
    return this.sum(({ size }) => size);
  }

  /** Hits that this process has counted for itself because what it shares its counts with did not answer. */
  get fallbacks(): number {
    return this.sum(({ fallbacks }) => fallbacks);
  }

  /** Counts a hit of a key. It is past its limit where `hits` is greater than the limit, for `msLeft`. */
  async hit(key: string, { name, limit, windowMs, blockMs = 0 }: KeyLimit): Promise<Count> {
    const counter = this.counter(`${name}:${windowMs}`, windowMs);
    if (blockMs <= windowMs) return counter.hit(key);
    const blocks = this.counter(`${name}:blocked:${blockMs}`, blockMs);
    const block = await blocks.peek(key);
    if (block.hits > 0) return { hits: limit + 1, msLeft: block.msLeft };
    const count = await counter.hit(key);
    return count.hits > limit ? { hits: count.hits, msLeft: (await blocks.hit(key)).msLeft } : count;
  }

  /** Counts for `ThrottlerGuard`, of which only what is no HTTP is left: see `RateLimitModule`. */
  async increment(
    key: string,
    ttl: number,
    limit: number,
    block: number,
    name: string,
  ): Promise<StorageRecord> {
    const options = { name: `guard:${name}`, limit, windowMs: ttl, blockMs: block };
    const { hits, msLeft } = await this.hit(key, options);
    const seconds = wholeSeconds(msLeft);
    return { totalHits: hits, timeToExpire: seconds, isBlocked: hits > limit, timeToBlockExpire: seconds };
  }

  private sum(of: (counter: Counter) => number): number {
    let sum = 0;
    for (const counter of [...this.counters, ...this.instanceCounters]) sum += of(counter);
    return sum;
  }
}

/** Rounded up, and at least 1: a client that waits that long gets through. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));
