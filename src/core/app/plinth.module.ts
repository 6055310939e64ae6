import { DynamicModule, Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';

import { MigrationsModule } from '../database/database.module.js';
import { Migrations } from '../database/migrate.js';
import { DtoValidationPipe } from '../fields/validation.pipe.js';
import { GrantsModule } from '../grants/grants.module.js';
import { RateLimitModule } from '../http/rate-limit/counter-storage.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { RoutesModule } from '../routes/ordinary-routes.js';
import { WebSocketsModule } from '../websockets/gateways.js';

export interface PlinthOptions {
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
