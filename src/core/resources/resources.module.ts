import { Module } from '@nestjs/common';

import { IdempotencyModule } from './idempotency/idempotency.module.js';

/** What the routes of resources need, whichever module they are of. */
@Module({ imports: [IdempotencyModule] })
export class ResourcesModule {}
