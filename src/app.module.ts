import { Module } from '@nestjs/common';
import { PlinthModule } from '@plinth/core';

import './config/access.js';
import { AuthModule } from './auth/auth.module.js';
import { VERSIONS } from './config/versions.js';
import { DOCS } from './docs/docs.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { OrdersModule } from './orders/orders.module.js';
import { ProductsModule } from './products/products.module.js';
import { ReviewsModule } from './reviews/reviews.module.js';
import { UsersModule } from './users/users.module.js';

@Module({
  imports: [
    PlinthModule.forRoot({ migrations: MIGRATIONS, docs: DOCS, versions: VERSIONS }),
    ProductsModule,
    UsersModule,
    OrdersModule,
    ReviewsModule,
    AuthModule,
  ],
})
export class AppModule {}
