import { setTimeout as sleep } from 'node:timers/promises';

import { DataSource, MigrationExecutor, MigrationInterface, QueryRunner } from 'typeorm';

import { migrationOptions } from './data-source-options.js';

/** Any number, the same in every instance: the advisory lock under which one of them migrates. */
const MIGRATION_LOCK = 7_311_046;
/** How often an instance looks whether it is its turn. */
const POLL_MS = 200;

/** Bounds on how long a statement, a lock and a session may take; some exist in newer versions of PostgreSQL only. */
const TIMEOUTS = `
  select set_config(name, '0', false) from pg_settings where name in ('statement_timeout', 'lock_timeout',
    'transaction_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`;

/**
 * Brings the schema up to date. Instances that start at the same time take turns: one migrates, the others find
 * nothing to do. Neither a migration nor the wait for another instance's is bounded in time.
 *
 * Works on a connection of its own, outside the pool of the data source, and closes it.
 *
 * @param others migrations beside those of the data source
 * @returns the names of the migrations that ran
 */
export async function migrate(
  dataSource: DataSource,
  others: readonly (new () => MigrationInterface)[] = [],
): Promise<string[]> {
  const options = migrationOptions(dataSource.options);
  const own = await new DataSource({
    ...options,
    migrations: [...Object.values(options.migrations ?? []), ...others],
  }).initialize();
  try {
    const runner = own.createQueryRunner();
    await runner.query(TIMEOUTS);
    await waitForTurn(runner);
    const executor = new MigrationExecutor(own, runner);
    executor.transaction = 'each';
    const ran = await executor.executePendingMigrations();
    return ran.map(({ name }) => name);
  } finally {
    // The end of the session frees the lock.
    await own.destroy();
  }
}

/**
 * Asks for the lock until it is free. A statement that waits for it would hold a snapshot, and a migration that builds
 * an index concurrently would wait for that one in its turn.
 */
async function waitForTurn(runner: QueryRunner): Promise<void> {
  const text = 'select pg_try_advisory_lock($1) as "isHeld"';
  for (;;) {
    const [row] = (await runner.query(text, [MIGRATION_LOCK])) as { isHeld: boolean }[];
    if (row?.isHeld) return;
    await sleep(POLL_MS);
  }
}
