import { DynamicModule, Module } from '@nestjs/common';

import { GrantsModule } from '#src/access/grants/grants.module.js';
import { AuthModule } from '#src/auth/auth.module.js';
import { RedisModule } from '#src/common/redis/redis.module.js';
import { ConfigModule } from '#src/config/config.module.js';
import { Config } from '#src/config/config.js';
import { DatabaseModule } from '#src/database/database.module.js';
import { Lifecycle } from '#src/operations/availability.js';
import { OperationsModule } from '#src/operations/operations.module.js';
import { OrdersModule } from '#src/orders/orders.module.js';
import { ProductsModule } from '#src/products/products.module.js';
import { ReviewsModule } from '#src/reviews/reviews.module.js';
import { UsersModule } from '#src/users/users.module.js';

/** The modules of the service. A new one is added here. */
@Module({ imports: [ProductsModule, UsersModule, OrdersModule, ReviewsModule, AuthModule, GrantsModule] })
export class AppModule {
  /** @param databaseUrl of the server, the embedded one's where the configuration names none */
  static of(config: Config, databaseUrl: string, lifecycle: Lifecycle): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.of(config),
        DatabaseModule.connectedTo(databaseUrl, config),
        RedisModule.of(config.redisUrl),
        OperationsModule.of(lifecycle),
      ],
    };
  }
}
