import { setTimeout as sleep } from 'node:timers/promises';

import { Logger } from '@nestjs/common';
import { QueryRunner } from 'typeorm';

import { isConflict, isLockTimeout } from './database-error.js';
import { MigrationLog } from './migration-log.js';

/**
 * How long a migration waits for a lock. Every request for a table waits behind a migration that waits for it, and must
 * not take as long as `DATABASE_STATEMENT_TIMEOUT_MS`.
 */
const LOCK_WAIT_MS = 1_000;
/** How long requests go first after that: from the first value on, doubled each time, up to the second. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1_000, 8_000];
const PATIENCE_MS = 600_000;
/** Works beside reads and writes, and waits for them without holding them up. */
const CONCURRENTLY = /^\s*(?:create|drop|alter|reindex|refresh)\b[^;]*\bconcurrently\b/i;

/** A migration did not get a lock for as long as it was tried. */
export class MigrationLockError extends Error {
  override readonly name = 'MigrationLockError';

  constructor(what: string, ms: number, cause: Error) {
    super(
      `${what} has not got a lock that it needs within ${Math.round(ms / 1000)} seconds, and was not done (${cause.message}): ` +
        `end what holds the lock and migrate again; "select pid, usename, application_name, state, xact_start ` +
        `from pg_stat_activity order by xact_start" has the longest transactions first`,
      { cause },
    );
  }
}

/** For how long something is tried again, with pauses that grow. */
class Patience {
  private readonly logger = new Logger('Migrations');
  private since: number | undefined;
  private pauseMs = FIRST_PAUSE_MS;

  constructor(private readonly ms: number) {}

  /** @throws MigrationLockError where the first failure was `ms` ago */
  async pause(what: string, error: Error): Promise<void> {
    this.since ??= performance.now();
    if (performance.now() - this.since >= this.ms) throw new MigrationLockError(what, this.ms, error);
    this.logger.warn(`${what} waits for a lock and is tried again: ${error.message}`);
    await sleep(this.pauseMs);
    this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/**
 * Bounds how long migrations wait for a lock: whoever reads a table for long, as `pg_dump` does, holds up a migration
 * of that table, but not the requests for it. A transaction is rolled back and run again, a statement outside of one
 * sent again.
 */
export class MigrationLocks {
  private readonly logger = new Logger('Migrations');
  /** Whether a migration's transaction has begun and was not committed. */
  private isUnfinished = false;
  private patience = new Patience(0);

  /**
   * @param begin is called in each transaction that the runner starts
   * @param patienceMs how long one migration, or one statement outside a transaction, is tried again
   */
  constructor(
    private readonly runner: QueryRunner,
    begin?: () => Promise<unknown>,
    private readonly patienceMs = PATIENCE_MS,
  ) {
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
      this.patience = new Patience(patienceMs);
    };
  }

  /**
   * Bounds statements outside transactions too, in a session that is the runner's own. One that works concurrently
   * waits without a bound: where it is given up it leaves an invalid index, and its work is lost.
   */
  async boundSession(): Promise<void> {
    const { runner } = this;
    const query = runner.query.bind(runner) as (...args: unknown[]) => Promise<unknown>;
    const bound = (ms: number): Promise<unknown> => query(`set lock_timeout = ${ms}`);
    const sent = async (text: string, ...rest: unknown[]): Promise<unknown> => {
      const send = (): Promise<unknown> => query(text, ...rest);
      if (runner.isTransactionActive) return send();
      if (!CONCURRENTLY.test(text)) return this.repeat(text, send);
      await bound(0);
      try {
        return await send();
      } finally {
        // Where the connection is lost, the error of the statement says so.
        await bound(LOCK_WAIT_MS).catch(() => undefined);
      }
    };
    await bound(LOCK_WAIT_MS);
    runner.query = sent as QueryRunner['query'];
  }

  /**
   * Works until no transaction of it is given up for a lock that others hold, or for a conflict with them: nothing of
   * such a one was done.
   *
   * @param log is told by TypeORM which migration fails
   * @throws MigrationLockError where one migration was tried for `patienceMs`
   */
  async retry<Result>(work: () => Promise<Result>, log: MigrationLog): Promise<Result> {
    this.patience = new Patience(this.patienceMs);
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const what = `The migration ${log.failed ?? ''}`.trim();
        if (!this.isUnfinished || !(isLockTimeout(error) || isConflict(error))) {
          if (log.failed !== undefined) this.logger.error(`${what} failed: ${(error as Error).message}`);
          throw error;
        }
        this.isUnfinished = false;
        await this.patience.pause(what, error as Error);
      }
    }
  }

  private async repeat(text: string, send: () => Promise<unknown>): Promise<unknown> {
    const patience = new Patience(this.patienceMs);
    for (;;) {
      try {
        return await send();
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        await patience.pause(`The statement "${text.trim()}"`, error as Error);
      }
    }
  }
}
