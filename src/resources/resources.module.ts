import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';

import { IdempotencyModule } from './idempotency/idempotency.module.js';
import { ResourceRoutes } from './resource-routes.js';

/** Completes the routes of resources, whichever module they are of. */
@Module({ imports: [DiscoveryModule, IdempotencyModule], providers: [ResourceRoutes] })
export class ResourcesModule {}
