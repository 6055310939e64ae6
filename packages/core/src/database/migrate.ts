import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, DataSourceOptions, MigrationInterface, QueryRunner } from 'typeorm';

import { PRODUCT } from '../config/product.js';
import { ConfigError } from '../config/read-config.js';
import { isLockTimeout } from './database-error.js';

/**
 * The number of the advisory lock that an instance holds while it migrates. It can be any number that all instances
 * share.
 */
const MIGRATION_LOCK = 7_311_046;
const LOCK_POLL_MS = 200;
/** How long a migration waits for the lock of a table that another session uses, such as a `pg_dump`. */
const LOCK_WAIT_MS = 5_000;
/** Ends the limits that the role or the database may have for other sessions. */
const SET_TIMEOUTS = `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = ${LOCK_WAIT_MS}`;

export type Migrations = readonly (new () => MigrationInterface)[];

/**
 * Runs the pending migrations on connections outside of the pool. If several instances call it, they take turns.
 * @param others migrations to run besides those of the data source
 * @returns the names of the migrations that ran
 * @throws Error if a migration waits too long for a lock; its transaction is rolled back
 * @throws ConfigError if a pooler in transaction mode is in between
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
    extra: { ...(postgres.extra as object), max: 2, query_timeout: 0, timeouts: {} },
  }).initialize();
  const holder = own.createQueryRunner();
  try {
    await beginInOwnSession(holder, own.createQueryRunner());
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
    // The connection, which is in a transaction, is closed. This releases the lock.
    await holder.release();
    await own.destroy();
  }
}

/**
 * Begins the transaction that will hold the lock, and lifts the time limits of both connections. The transaction is READ
 * COMMITTED, whatever the default of the role is, so that it has no snapshot between two statements.
 * @throws ConfigError if a pooler in transaction mode is in between. It would give the connection without time limits to
 *   other clients, and a migration may need settings that outlive its transactions
 */
async function beginInOwnSession(holder: QueryRunner, runner: QueryRunner): Promise<void> {
  try {
    const session = await findSession(runner);
    await holder.startTransaction('READ COMMITTED');
    if ((await findSession(holder)) === session || (await findSession(runner)) !== session)
      throw new ConfigError([
        'DATABASE_URL: must not lead to a pooler in transaction mode if migrations run. Set DATABASE_MIGRATE=false, ' +
          'and run `npm run migrate` with a DATABASE_URL that leads to the server itself',
      ]);
    await holder.query('set local idle_in_transaction_session_timeout = 0');
    await runner.query(SET_TIMEOUTS);
  } finally {
    await runner.release();
  }
}

async function findSession(runner: QueryRunner): Promise<number | undefined> {
  const found: unknown = await runner.query('select pg_backend_pid() as pid');
  return (found as { pid: number }[])[0]?.pid;
}

async function tryLock(holder: { query(text: string): Promise<unknown> }): Promise<boolean> {
  const found = await holder.query(`select pg_try_advisory_xact_lock(${MIGRATION_LOCK}) as "isLocked"`);
  return (found as { isLocked: boolean }[])[0]?.isLocked === true;
}
