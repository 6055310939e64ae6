import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';

import { IdempotencyCleanup } from './idempotency-cleanup.js';
import { IdempotencyKeyEntity } from './idempotency-key.entity.js';
import { IdempotencyStore } from './idempotency-store.js';

/** Stored responses of requests with an `Idempotency-Key`, for the POST routes of every module. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKeyEntity])],
  providers: [IdempotencyStore, IdempotencyCleanup],
  exports: [IdempotencyStore],
})
export class IdempotencyModule {}
