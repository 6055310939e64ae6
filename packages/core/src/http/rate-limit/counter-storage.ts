import { Injectable, Optional } from '@nestjs/common';

import { PRODUCT } from '../../config/product.js';
import { RedisConnection } from '../../redis/redis-connection.js';

export interface Count {
  readonly hits: number;
  readonly msLeft: number;
}

/** Counts by key in windows that start with a key's first hit, in O(1). Returns no promise where memory is enough. */
export interface Counter {
  /** Counts hits of a key, all of them or, where that is more than `most`, none. @param times 0: only looks the count up */
  hit(key: string, times?: number, most?: number): Count | Promise<Count>;
}

interface Window {
  hits: number;
  endsAt: number;
}

/**
 * Counts in memory. There are two generations of at most `maxKeys` keys each: the older one is dropped when the younger
 * one is full or a window old. If more keys are in use, those that were silent for longest are forgotten first. The
 * clock is monotonic: setting the wall clock moves no window.
 */
export class WindowCounter implements Counter {
  private young = new Map<string, Window>();
  private old = new Map<string, Window>();
  private turnsAt = 0;

  constructor(
    private readonly windowMs: number,
    private readonly maxKeys = 100_000,
    /** In whole milliseconds, so that differences are exact. */
    private readonly now = (): number => Math.floor(performance.now()),
  ) {}

  hit(key: string, times = 1, most = Infinity): Count {
    const now = this.now();
    if (now >= this.turnsAt || this.young.size >= this.maxKeys) {
      // A window outlives one turn at most: what is dropped at the second has ended, or was pushed out.
      this.old = this.young;
      this.young = new Map();
      this.turnsAt = now + this.windowMs;
    }
    const known = this.young.get(key) ?? this.old.get(key);
    const window = known && known.endsAt > now ? known : { hits: 0, endsAt: now + this.windowMs };
    // Looking up starts no window.
    if (times > 0) {
      this.old.delete(key);
      this.young.set(key, window);
    }
    const hits = window.hits + times;
    if (hits <= most) window.hits = hits;
    return { hits, msLeft: window.endsAt - now };
  }

  get size(): number {
    return this.young.size + this.old.size;
  }
}

/** Counts, or looks up, in one step. In: the length of a window, hits, the most. Out: hits and milliseconds left. */
const COUNT_SCRIPT = `
local hits = tonumber(redis.call('GET', KEYS[1]) or '0') + tonumber(ARGV[2])
if ARGV[2] ~= '0' and hits <= tonumber(ARGV[3]) then redis.call('INCRBY', KEYS[1], ARGV[2]) end
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
  private readonly fallback = new WindowCounter(this.windowMs);
  private pausedUntil = 0;

  constructor(
    private readonly redis: RedisConnection,
    private readonly name: string,
    private readonly windowMs: number,
  ) {}

  async hit(key: string, added = 1, most: number = Number.MAX_SAFE_INTEGER): Promise<Count> {
    if (this.redis.client.status === 'ready' && performance.now() >= this.pausedUntil) {
      const name = `${PRODUCT.redisPrefix}count:${this.name}:${key}`;
      try {
        const values = [this.windowMs, added, most];
        const answer = await this.redis.call((client) => client.eval(COUNT_SCRIPT, 1, name, ...values));
        const [hits, msLeft] = answer as [number, number];
        return { hits, msLeft };
      } catch {
        this.pausedUntil = performance.now() + PAUSE_MS;
      }
    }
    return this.fallback.hit(key, added, most);
  }
}

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
