import { DynamicModule, Module, ModuleMetadata } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';

import './config/access.js';
import { AuthModule } from './auth/auth.module.js';
import { Config } from './core/config/config.js';
import { DatabaseModule } from './core/database/database.module.js';
import { MigrationsModule } from './core/database/migrations.module.js';
import { DtoValidationPipe } from './core/fields/validation.pipe.js';
import { GrantsModule } from './core/grants/grants.module.js';
import { ErrorFilter, ErrorWriter } from './core/http/error-handling.js';
import { RateLimitModule } from './core/http/rate-limit/rate-limit.module.js';
import { Lifecycle } from './core/operations/availability.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { OperationsModule } from './core/operations/operations.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { ProductsModule } from './products/products.module.js';
import { RedisModule } from './core/redis/redis.module.js';
import { ResourcesModule } from './core/resources/resources.module.js';
import { ReviewsModule } from './reviews/reviews.module.js';
import { RoutesModule } from './core/routes/ordinary-routes.js';
import { UsersModule } from './users/users.module.js';
import { WebSocketsModule } from './core/websockets/gateways.js';

export type ModuleImports = NonNullable<ModuleMetadata['imports']>;

/** The modules of the service. A new one is added here. */
@Module({
  imports: [
    MigrationsModule.of(...MIGRATIONS),
    ProductsModule,
    UsersModule,
    OrdersModule,
    ReviewsModule,
    AuthModule,
    GrantsModule,
  ],
  providers: [{ provide: APP_PIPE, useClass: DtoValidationPipe }],
})
export class AppModule {
  /**
   * @param databaseUrl of the server, the embedded one's where the configuration names none
   * @param writer answers whatever a route throws
   * @param modules others that are not listed above, as of tests
   */
  static of(
    config: Config,
    databaseUrl: string,
    lifecycle: Lifecycle,
    writer: ErrorWriter,
    modules: ModuleImports,
  ): DynamicModule {
    return {
      module: AppModule,
      providers: [{ provide: APP_FILTER, useValue: new ErrorFilter(writer) }],
      imports: [
        // Validated when the process started: see `readConfig()`.
        ConfigModule.forRoot({
          isGlobal: true,
          load: [() => config],
          ignoreEnvFile: true,
          validatePredefined: false,
          skipProcessEnv: true,
        }),
        DatabaseModule.connectedTo(databaseUrl, config),
        ResourcesModule,
        RoutesModule,
        WebSocketsModule,
        RedisModule.of(config.redisUrl),
        RateLimitModule,
        OperationsModule.of(lifecycle),
        ...modules,
      ],
    };
  }
}
