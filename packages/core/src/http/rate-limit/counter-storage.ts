import { Injectable, Optional } from '@nestjs/common';

import { RedisConnection } from '../../redis/redis-connection.js';
import { Counter } from './counter.js';
import { RedisCounter } from './redis-counter.js';
import { WindowCounter } from './window-counter.js';

/**
 * Creates counters by name. If `REDIS_URL` is set, the counters are in Redis, and all instances share them. Otherwise
 * they are in memory.
 */
@Injectable()
export class CounterStorage {
  private readonly counters = new Map<string, Counter>();

  constructor(@Optional() private readonly redis?: RedisConnection) {}

  /**
   * Returns the counter with this name. The same arguments always return the same counter.
   * @param blockMs see `WindowCounter`
   */
  counter(name: string, windowMs: number, blockMs = 0): Counter {
    const id = `${name} ${windowMs} ${blockMs}`;
    const known = this.counters.get(id);
    if (known) return known;
    const counter = this.redis
      ? new RedisCounter(this.redis, name, windowMs, blockMs)
      : new WindowCounter(windowMs, blockMs);
    this.counters.set(id, counter);
    return counter;
  }
}
