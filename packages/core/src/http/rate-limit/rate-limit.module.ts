import { DynamicModule, Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { ThrottlerModule, ThrottlerModuleOptions, ThrottlerStorage } from '@nestjs/throttler';

import { Config } from '../../config/config.js';
import { CounterStorage } from './counter-storage.js';
import { CounterThrottlerStorage } from './throttler-storage.js';

/** A limit for each caller and route, in addition to the general limit. Times are in milliseconds. */
export interface NamedThrottler {
  readonly name: string;
  readonly limit: number;
  readonly ttl: number;
  /** How long a caller above the limit is blocked. By default, until the window ends. */
  readonly blockDuration?: number;
}

/** The option `throttler` of `PlinthModule.forRoot()`: additional limits, or a storage that replaces the counters. */
export interface ThrottlerDefinition {
  readonly throttlers?: readonly NamedThrottler[];
  /** By default, the counters of the service. If `REDIS_URL` is set, all instances share these counters. */
  readonly storage?: ThrottlerStorage;
}

/** Provides the counters, and imports `ThrottlerModule` with the limits of the service and the application. */
@Module({ providers: [CounterStorage], exports: [CounterStorage] })
export class RateLimitModule {
  static forRoot({ throttlers = [], storage }: ThrottlerDefinition): DynamicModule {
    return ThrottlerModule.forRootAsync({
      imports: [RateLimitModule],
      inject: [ConfigService, CounterStorage],
      useFactory: (config: ConfigService<Config, true>, counters: CounterStorage): ThrottlerModuleOptions => {
        const { limit, windowSeconds } = config.get('rateLimit', { infer: true });
        const general = { name: 'default', limit, ttl: windowSeconds * 1000 };
        // 0 means no block. By default, @nestjs/throttler blocks a caller for `ttl` from the moment the limit is
        // exceeded.
        const all = [general, ...throttlers].map((throttler) => ({ blockDuration: 0, ...throttler }));
        return { throttlers: all, storage: storage ?? new CounterThrottlerStorage(counters) };
      },
    });
  }
}
