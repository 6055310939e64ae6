import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, DataSourceOptions, MigrationInterface } from 'typeorm';

import { PRODUCT } from '../config/product.js';
import { isLockTimeout } from './database-error.js';

/**
 * The number of the advisory lock that an instance holds while it migrates. It can be any number that all instances
 * share.
 */
const MIGRATION_LOCK = 7_311_046;
const LOCK_POLL_MS = 200;
/** How long a migration waits for the lock of a table that another session uses, such as a `pg_dump`. */
const LOCK_WAIT_MS = 5_000;

export type Migrations = readonly (new () => MigrationInterface)[];

/**
 * Runs the pending migrations on connections outside of the pool. If several instances call it, they take turns.
 * @param others migrations to run besides those of the data source
 * @returns the names of the migrations that ran
 * @throws Error if a migration waits too long for a lock; its transaction is rolled back
 */
export async function migrate(
  { options, migrations }: DataSource,
  others: Migrations = [],
): Promise<string[]> {
  const postgres = options as Extract<DataSourceOptions, { type: 'postgres' }>;
  const own = await new DataSource({
    ...postgres,
    applicationName: `${PRODUCT.slug} migrations`,
    migrations: [...migrations.map(({ constructor }) => constructor), ...others],
    // One connection holds the advisory lock, and the other runs the migrations.
    extra: { ...(postgres.extra as object), max: 2, ...NO_TIMEOUTS, lock_timeout: LOCK_WAIT_MS },
  }).initialize();
  const holder = own.createQueryRunner();
  try {
    // Poll for the lock instead of waiting for it in PostgreSQL. A waiting session would hold a snapshot, and
    // `create index concurrently`, which another instance may be running, waits for all snapshots to end.
    while (!(await tryLock(holder))) await sleep(LOCK_POLL_MS);
    const ran = await own.runMigrations({ transaction: 'each' });
    return ran.map(({ name }) => name);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new Error(
      `A migration waited ${LOCK_WAIT_MS} ms for a lock that another session holds, and was rolled back. ` +
        'Start again, or find the other session by pg_blocking_pids().',
      { cause: error },
    );
  } finally {
    // The advisory lock is released when its session ends.
    await holder.release();
    await own.destroy();
  }
}

/**
 * Settings without time limits. Those of the server are strings, because `pg` does not send the number 0. The limits of
 * the database or role would then apply.
 */
const NO_TIMEOUTS = { statement_timeout: '0', idle_in_transaction_session_timeout: '0', query_timeout: 0 };

async function tryLock(holder: { query(text: string): Promise<unknown> }): Promise<boolean> {
  const found = await holder.query(`select pg_try_advisory_lock(${MIGRATION_LOCK}) as "isLocked"`);
  return (found as { isLocked: boolean }[])[0]?.isLocked === true;
}
