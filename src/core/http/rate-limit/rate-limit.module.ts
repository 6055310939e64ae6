import { Module } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { ThrottlerModule, ThrottlerModuleOptions } from '@nestjs/throttler';

import { Config } from '../../config/config.js';
import { CounterStorage } from './counter-storage.js';

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
          throttlers: [
            { name: 'default', limit: limit || Number.MAX_SAFE_INTEGER, ttl: windowSeconds * 1000 },
          ],
          storage,
          skipIf: (context) => context.getType() === 'http',
        };
      },
    }),
  ],
  exports: [CounterStorageModule],
})
export class RateLimitModule {}
