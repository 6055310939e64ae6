import { setTimeout as sleep } from 'node:timers/promises';

import { DataSource, MigrationExecutor, MigrationInterface, QueryRunner } from 'typeorm';

import { migrationOptions } from './data-source-options.js';
import { PlannedStatement, recordStatements } from './recorded-statements.js';

/** Any number, the same in every instance: the advisory lock under which one of them migrates. */
const MIGRATION_LOCK = 7_311_046;
/** How often an instance looks whether it is its turn. */
const POLL_MS = 200;

/** Bounds on how long a statement, a lock and a session may take; some exist in newer versions of PostgreSQL only. */
const TIMEOUTS = `
  select set_config(name, '0', false) from pg_settings where name in ('statement_timeout', 'lock_timeout',
    'transaction_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`;

type Migrations = readonly (new () => MigrationInterface)[];

/**
 * Brings the schema up to date. Instances that start at the same time take turns: one migrates, the others find
 * nothing to do. Neither a migration nor the wait for another instance's is bounded in time.
 *
 * Works on a connection of its own, outside the pool of the data source, and closes it.
 *
 * @param others migrations beside those of the data source
 * @returns the names of the migrations that ran
 */
export function migrate(dataSource: DataSource, others: Migrations = []): Promise<string[]> {
  return onOwnConnection(dataSource, others, async (executor, runner) => {
    await waitForTurn(runner);
    executor.transaction = 'each';
    const ran = await executor.executePendingMigrations();
    return ran.map(({ name }) => name);
  });
}

/**
 * Takes the migration back that ran last, in its turn as `migrate` does.
 *
 * @returns its name; `undefined`: none has run
 * @throws Error where this build does not know that migration
 */
export function revert(dataSource: DataSource, others: Migrations = []): Promise<string | undefined> {
  return onOwnConnection(dataSource, others, async (executor, runner) => {
    await waitForTurn(runner);
    const executed = await executor.getExecutedMigrations();
    const last = executed.toSorted((a, b) => (b.id ?? 0) - (a.id ?? 0))[0];
    if (!last) return undefined;
    const instance = runner.dataSource.migrations.find((known) => nameOf(known) === last.name);
    executor.transaction = instance?.transaction === false ? 'none' : 'each';
    await executor.undoLastMigration();
    return last.name;
  });
}

/** As TypeORM names migrations. */
const nameOf = ({ name, constructor }: MigrationInterface): string => name ?? constructor.name;

/** A migration that has not run, and the statements that it would run. */
export interface PlannedMigration {
  readonly name: string;
  /** Whether one transaction holds all of it. */
  readonly isInTransaction: boolean;
  readonly statements: readonly PlannedStatement[];
}

/**
 * The migrations that have not run, with their statements, in order. Nothing is changed and no lock is waited for: see
 * `recordStatements`.
 */
export function plan(dataSource: DataSource, others: Migrations = []): Promise<PlannedMigration[]> {
  return onOwnConnection(dataSource, others, async (executor, runner) => {
    const planned: PlannedMigration[] = [];
    for (const { name, instance } of await executor.getPendingMigrations()) {
      if (!instance) continue;
      const statements = await recordStatements(runner, () => instance.up(runner));
      planned.push({ name, isInTransaction: instance.transaction !== false, statements });
    }
    return planned;
  });
}

async function onOwnConnection<Result>(
  dataSource: DataSource,
  others: Migrations,
  work: (executor: MigrationExecutor, runner: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const options = migrationOptions(dataSource.options);
  const own = await new DataSource({
    ...options,
    migrations: [...Object.values(options.migrations ?? []), ...others],
  }).initialize();
  try {
    const runner = own.createQueryRunner();
    await runner.query(TIMEOUTS);
    return await work(new MigrationExecutor(own, runner), runner);
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
