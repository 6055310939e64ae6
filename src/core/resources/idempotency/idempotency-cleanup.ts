import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';

import { IdempotencyStore } from './idempotency-store.js';

const INTERVAL_MS = 10 * 60_000;

/** Forgets stored answers in time. Every instance does: what one has removed, another does not find. */
@Injectable()
export class IdempotencyCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly store: IdempotencyStore) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      // A database that is away now is there the next time.
      this.store.removeExpired().catch(() => undefined);
    }, INTERVAL_MS);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }
}
