import { Injectable, Optional } from '@nestjs/common';

import { PRODUCT } from '../../config/product.js';
import { RedisConnection } from '../../redis/redis-connection.js';
import { Count, Counter, WindowCounter } from './window-counter.js';

/** Counts, or looks up, in one step. In: the length of a window, 1 for a hit. Out: hits and milliseconds left. */
const COUNT = `
local hits
if ARGV[2] == '1' then hits = redis.call('INCR', KEYS[1]) else hits = tonumber(redis.call('GET', KEYS[1]) or '0') end
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  if hits > 0 then redis.call('PEXPIRE', KEYS[1], left) end
end
return { hits, left }`;

/** The pause after a failure of Redis, so that requests do not wait for one answer after the other. */
const PAUSE_MS = 1_000;

/** One count for all instances, in Redis. While Redis is away, each counts for itself. */
class RedisCounter implements Counter {
  private readonly own: WindowCounter;
  private pausedUntil = 0;

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

  private async ask(key: string, added: 0 | 1): Promise<Count> {
    if (this.redis.isReady && performance.now() >= this.pausedUntil) {
      const name = `${PRODUCT.redisPrefix}count:${this.name}:${key}`;
      try {
        const answer = await this.redis.call((client) => client.eval(COUNT, 1, name, this.windowMs, added));
        const [hits, msLeft] = answer as [number, number];
        return { hits, msLeft };
      } catch {
        this.pausedUntil = performance.now() + PAUSE_MS;
      }
    }
    return added ? this.own.hit(key) : this.own.peek(key);
  }
}

/** The counters of the service: shared by all instances that have a Redis. */
@Injectable()
export class CounterStorage {
  private readonly counters = new Map<string, Counter>();

  constructor(@Optional() private readonly redis?: RedisConnection) {}

  counter(name: string, windowMs: number): Counter {
    const id = `${name} ${windowMs}`;
    let counter = this.counters.get(id);
    if (!counter) {
      counter = this.redis ? new RedisCounter(this.redis, name, windowMs) : new WindowCounter(windowMs);
      this.counters.set(id, counter);
    }
    return counter;
  }
}
