import { Injectable, Module, Optional } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { ThrottlerModule, ThrottlerModuleOptions, ThrottlerStorage } from '@nestjs/throttler';

import { Config } from '../../config/config.js';
import { RedisConnection } from '../../redis/redis-connection.js';
import { RedisCounter } from './redis-counter.js';
import { Counter, WindowCounter } from './window-counter.js';

/** Rounded up, and at least 1: a client that waits that long gets through. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

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

  /** Counts for `ThrottlerGuard`. A key past its limit is refused until its window ends. */
  async increment(key: string, ttl: number, limit: number): ReturnType<ThrottlerStorage['increment']> {
    const { hits, msLeft } = await this.counter('guard', ttl).hit(key);
    const seconds = wholeSeconds(msLeft);
    return { totalHits: hits, timeToExpire: seconds, isBlocked: hits > limit, timeToBlockExpire: seconds };
  }
}

@Module({ providers: [CounterStorage], exports: [CounterStorage] })
class CounterStorageModule {}

/**
 * Sets up @nestjs/throttler with the general limit and the storage of the service. HTTP requests are counted in a hook,
 * before their bodies are read; `ThrottlerGuard`, where a module uses it, counts other messages only.
 */
@Module({
  imports: [
    CounterStorageModule,
    ThrottlerModule.forRootAsync({
      imports: [CounterStorageModule],
      inject: [ConfigService, CounterStorage],
      useFactory: (config: ConfigService<Config, true>, storage: CounterStorage): ThrottlerModuleOptions => {
        const { limit, windowSeconds } = config.get('rateLimit', { infer: true });
        return {
          throttlers: [{ limit: limit || Number.MAX_SAFE_INTEGER, ttl: windowSeconds * 1000 }],
          storage,
          skipIf: (context) => context.getType() === 'http',
        };
      },
    }),
  ],
  exports: [CounterStorageModule],
})
export class RateLimitModule {}
