import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, DataSourceOptions, MigrationInterface } from 'typeorm';

import { PRODUCT } from '../config/product.js';
import { isLockTimeout } from './database-error.js';

/** The advisory lock under which one instance migrates. Any number works, if all instances use the same one. */
const MIGRATION_LOCK = 7_311_046;
const LOCK_POLL_MS = 200;
/** How long a migration waits for a table that other sessions use, such as `pg_dump`. */
const LOCK_WAIT_MS = 5_000;

export type Migrations = readonly (new () => MigrationInterface)[];

/**
 * Runs the pending migrations on connections of its own. Instances take turns.
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
    // One connection holds the lock, the other migrates.
    extra: { ...(postgres.extra as object), max: 2, ...NO_TIMEOUTS, lock_timeout: LOCK_WAIT_MS },
  }).initialize();
  const holder = own.createQueryRunner();
  try {
    // A session that waits in PostgreSQL holds a snapshot, and `create index concurrently` waits for all snapshots.
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
    // The lock is released when the session ends.
    await holder.release();
    await own.destroy();
  }
}

/** Strings, because `pg` does not send the number 0, and the limits of the database or role would stay in force. */
const NO_TIMEOUTS = { statement_timeout: '0', idle_in_transaction_session_timeout: '0', query_timeout: 0 };

async function tryLock(holder: { query(text: string): Promise<unknown> }): Promise<boolean> {
  const found = await holder.query(`select pg_try_advisory_lock(${MIGRATION_LOCK}) as "isLocked"`);
  return (found as { isLocked: boolean }[])[0]?.isLocked === true;
}
