import { DynamicModule, Global, Module, ModuleMetadata, Type } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { APP_FILTER } from '@nestjs/core';

import { Config } from '../config/config.js';
import { OnDatabaseAway } from '../database/database-away.js';
import { DatabaseModule } from '../database/database.module.js';
import { ApiExceptionFilter } from '../http/errors/api-exception.filter.js';
import { Lifecycle } from '../operations/availability.js';
import { HealthController } from '../operations/health.controller.js';
import { Readiness } from '../operations/readiness.js';
import { RedisConnection } from '../redis/redis-connection.js';

export interface RootModuleOptions {
  readonly application: Type;
  readonly modules: NonNullable<ModuleMetadata['imports']>;
  readonly config: Config;
  readonly databaseUrl: string;
  readonly filter: ApiExceptionFilter;
  readonly onDatabaseAway: OnDatabaseAway;
}

/**
 * The root of the module tree, around the application's `AppModule`: the configuration, the database, Redis, health,
 * and the global exception filter. NestJS tries the global filter of the outermost module last. `ApiExceptionFilter`
 * catches every error, and must therefore be in this module. In `PlinthModule`, where the global pipe is, NestJS would
 * try it before the filters of `AppModule`, and those would never run.
 */
@Global()
@Module({ controllers: [HealthController] })
export class RootModule {
  static forApplication({
    application,
    modules,
    config,
    databaseUrl,
    filter,
    onDatabaseAway,
  }: RootModuleOptions): DynamicModule {
    const { redisUrl } = config;
    return {
      module: RootModule,
      providers: [
        { provide: APP_FILTER, useValue: filter },
        Lifecycle,
        Readiness,
        { provide: RedisConnection, useFactory: () => redisUrl && RedisConnection.create(redisUrl) },
      ],
      exports: [RedisConnection],
      imports: [
        // `loadConfig()` has already validated the variables.
        ConfigModule.forRoot({
          isGlobal: true,
          load: [() => config],
          ignoreEnvFile: true,
          skipProcessEnv: true,
        }),
        DatabaseModule.forRoot(databaseUrl, config, onDatabaseAway),
        application,
        ...modules,
      ],
    };
  }
}
