import { PRODUCT } from '../../config/product.js';
import { RedisConnection } from '../../redis/redis-connection.js';
import { PrimaryLink } from '../../workers/primary-link.js';
import { Count, Counter } from './counter.js';
import { PrimaryCounter } from './primary-counter.js';
import { WindowCounter } from './window-counter.js';

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

/** The pause after Redis has failed to answer, so that requests do not wait for it one after the other. */
const PAUSE_MS = 1_000;

/** One count for all instances, in Redis. While Redis is away, each instance counts for itself. */
export class SharedCounter implements Counter {
  fallbacks = 0;
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

  hit(key: string): Count | Promise<Count> {
    return this.ask(HIT, key) ?? this.hitOwn(key);
  }

  peek(key: string): Count | Promise<Count> {
    return this.ask(PEEK, key) ?? this.own.peek(key);
  }

  get size(): number {
    return this.own.size;
  }

  private ask(script: string, key: string): Promise<Count> | undefined {
    if (!this.redis.isReady || performance.now() < this.pausedUntil) return undefined;
    const name = `${PRODUCT.redisPrefix}count:${this.name}:${key}`;
    return this.redis
      .call(script === HIT ? 'count hit' : 'count peek', (client) =>
        client.eval(script, 1, name, this.windowMs),
      )
      .then(
        (answer) => {
          const [hits, msLeft] = answer as [number, number];
          return { hits, msLeft: msLeft < 0 ? this.windowMs : msLeft };
        },
        () => {
          this.pausedUntil = performance.now() + PAUSE_MS;
          return script === HIT ? this.hitOwn(key) : this.own.peek(key);
        },
      );
  }

  private hitOwn(key: string): Count {
    this.fallbacks++;
    return this.own.hit(key);
  }
}

/** Those that a process shares counts with. */
export interface CountSharing {
  /** For all instances. */
  readonly redis?: RedisConnection | undefined;
  /** For all workers of an instance. */
  readonly primary?: PrimaryLink | undefined;
}

/** A counter that instances share through Redis, if one is configured, and else the workers of each instance. */
export function createCounter(name: string, windowMs: number, { redis, primary }: CountSharing): Counter {
  if (redis) return new SharedCounter(redis, name, windowMs);
  return primary ? new PrimaryCounter(primary, name, windowMs) : new WindowCounter(windowMs);
}
