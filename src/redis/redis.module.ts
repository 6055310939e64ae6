import { DynamicModule, Global, Module } from '@nestjs/common';

import { RedisConnection } from './redis-connection.js';

/** The connection to Redis, where there is one, for every module: inject it as optional. */
@Global()
@Module({})
export class RedisModule {
  static of(url: string | undefined): DynamicModule {
    if (url === undefined) return { module: RedisModule };
    const provider = { provide: RedisConnection, useFactory: () => new RedisConnection(url) };
    return { module: RedisModule, providers: [provider], exports: [RedisConnection] };
  }
}
