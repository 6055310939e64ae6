import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import { QueryRunner } from 'typeorm';

import { codeOf, isConflict } from './database-error.js';

/**
 * How long a migration waits for a lock. Every request for a table waits behind a migration that waits for it, and must not
 * take as long as `DATABASE_STATEMENT_TIMEOUT_MS`.
 */
const LOCK_WAIT_MS = 1_000;
/** How long requests go first after that. */
const PAUSE_MS = 1_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Bounds how long the transactions of migrations wait for a lock: whoever reads a table for an hour, as `pg_dump` does, holds
 * up a migration of that table, but not the requests for it. What runs outside a transaction is not bounded, as
 * `create index concurrently`, which waits for others without holding them up.
 */
export class MigrationLocks {
  private readonly logger = new Logger('Migrations');
  /** Whether a migration's transaction has begun and was not committed. */
  private isUnfinished = false;

  /** @param begin is called in each transaction that the runner starts */
  constructor(runner: QueryRunner, begin?: () => Promise<unknown>) {
    const start = runner.startTransaction.bind(runner);
    const commit = runner.commitTransaction.bind(runner);
    runner.startTransaction = async (isolation) => {
      await start(isolation);
      this.isUnfinished = true;
      await begin?.();
      await runner.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
    };
    runner.commitTransaction = async () => {
      await commit();
      this.isUnfinished = false;
    };
  }

  /** Works until no transaction of it is given up for a lock that others hold: nothing of such a one was done. */
  async retry<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const isLocked = codeOf(error) === LOCK_NOT_AVAILABLE || isConflict(error);
        if (!isLocked || !this.isUnfinished) throw error;
        this.logger.warn(`A migration waits for a lock, and is tried again: ${String(error)}`);
        this.isUnfinished = false;
        await sleep(PAUSE_MS);
      }
    }
  }
}
