import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, DataSourceOptions, MigrationInterface } from 'typeorm';

import { PRODUCT } from '../config/product.js';
import { isLockTimeout } from './database-error.js';

/** Any number, the same in every instance: the advisory lock under which one of them migrates. */
const MIGRATION_LOCK = 7_311_046;
const LOCK_POLL_MS = 200;
/** How long a migration may wait for a table that others use, as `pg_dump` does. */
const LOCK_WAIT_MS = 5_000;

export type Migrations = readonly (new () => MigrationInterface)[];

/** Brings the schema up to date, on connections of its own; instances take turns. @returns the migrations that ran */
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
    // Waiting in PostgreSQL itself would hold a snapshot, for which `create index concurrently` waits in its turn.
    while (!(await tryLock(holder))) await sleep(LOCK_POLL_MS);
    const ran = await own.runMigrations({ transaction: 'each' });
    return ran.map(({ name }) => name);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new Error(
      `A migration waited ${LOCK_WAIT_MS} ms for a lock that another session holds, and was given up. Nothing of it was done. ` +
        'Start again, or see pg_blocking_pids() for the session that is in the way.',
      { cause: error },
    );
  } finally {
    // The end of the session frees the lock.
    await holder.release();
    await own.destroy();
  }
}

/** In texts: `pg` sends no zero that is a number, and the bounds of the database or role would hold. */
const NO_TIMEOUTS = { statement_timeout: '0', idle_in_transaction_session_timeout: '0', query_timeout: 0 };

async function tryLock(holder: { query(text: string): Promise<unknown> }): Promise<boolean> {
  const found = await holder.query(`select pg_try_advisory_lock(${MIGRATION_LOCK}) as "isLocked"`);
  return (found as { isLocked: boolean }[])[0]?.isLocked === true;
}
