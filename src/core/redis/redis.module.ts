import { DynamicModule, Global, Module } from '@nestjs/common';

import { RedisConnection } from './redis-connection.js';

/** Provides the connection to Redis to every module, if one is configured: inject it as optional. */
@Global()
@Module({})
export class RedisModule {
  static of(url: string | undefined): DynamicModule {
    if (url === undefined) return { module: RedisModule };
    const provider = { provide: RedisConnection, useFactory: () => new RedisConnection(url) };
    return { module: RedisModule, providers: [provider], exports: [RedisConnection] };
  }
}
