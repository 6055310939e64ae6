import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { IdempotencyKeyEntity } from './idempotency/idempotency-key.entity.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';

/** What the routes of resources need, whichever module they are of. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKeyEntity])],
  providers: [IdempotencyStore],
  exports: [IdempotencyStore],
})
export class ResourcesModule {}
