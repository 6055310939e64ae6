import { DynamicModule, Module, ModuleMetadata, Type } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';

import { Config } from '../config/config.js';
import { DatabaseModule, MigrationsModule } from '../database/database.module.js';
import { Migrations } from '../database/migrate.js';
import { DtoValidationPipe } from '../fields/validation.pipe.js';
import { GrantsModule } from '../grants/grants.module.js';
import { ErrorFilter, ErrorWriter } from '../http/error-handling.js';
import { RateLimitModule } from '../http/rate-limit/counter-storage.js';
import { Lifecycle } from '../operations/availability.js';
import { HealthController } from '../operations/health.controller.js';
import { RedisModule } from '../redis/redis-connection.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { RoutesModule } from '../routes/ordinary-routes.js';
import { WebSocketsModule } from '../websockets/gateways.js';

/** What an application declares of itself. */
export interface PlinthOptions {
  /** Its migrations, in order. */
  readonly migrations: Migrations;
}

/** The base, which the root module of an application imports. */
@Module({
  imports: [ResourcesModule, RoutesModule, WebSocketsModule, RateLimitModule, GrantsModule],
  providers: [{ provide: APP_PIPE, useClass: DtoValidationPipe }],
})
export class PlinthModule {
  /** @example @Module({ imports: [PlinthModule.forRoot({ migrations: MIGRATIONS }), ProductsModule] }) */
  static forRoot({ migrations }: PlinthOptions): DynamicModule {
    return { module: PlinthModule, imports: [MigrationsModule.of(...migrations)] };
  }
}

export type ModuleImports = NonNullable<ModuleMetadata['imports']>;

/** What a process adds to an application. */
interface ProcessParts {
  readonly application: Type;
  readonly config: Config;
  /** Of the server, the embedded one's where the configuration names none. */
  readonly databaseUrl: string;
  readonly lifecycle: Lifecycle;
  /** Answers whatever a route throws. */
  readonly writer: ErrorWriter;
  /** Those of tests, beside the application's own. */
  readonly modules: ModuleImports;
}

@Module({ controllers: [HealthController] })
class ProcessModule {}

/** The application as a process runs it. */
export const processModule = (parts: ProcessParts): DynamicModule => ({
  module: ProcessModule,
  providers: [
    { provide: APP_FILTER, useValue: new ErrorFilter(parts.writer) },
    { provide: Lifecycle, useValue: parts.lifecycle },
  ],
  imports: [
    // Validated when the process started: see `readConfig()`.
    ConfigModule.forRoot({
      isGlobal: true,
      load: [() => parts.config],
      ignoreEnvFile: true,
      validatePredefined: false,
      skipProcessEnv: true,
    }),
    DatabaseModule.connectedTo(parts.databaseUrl, parts.config),
    RedisModule.of(parts.config.redisUrl),
    parts.application,
    ...parts.modules,
  ],
});
