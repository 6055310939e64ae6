import { setTimeout as sleep } from 'node:timers/promises';

import { DataSource, MigrationExecutor, MigrationInterface, QueryRunner } from 'typeorm';

import { migrationOptions, sharesSessions } from './data-source-options.js';
import { MigrationLocks } from './migration-locks.js';
import { MigrationLog } from './migration-log.js';
import { MIGRATION_LOCK, MigrationWaits } from './migration-waits.js';
import { PlannedStatement, recordStatements } from './recorded-statements.js';

/** How often an instance looks whether it is its turn. */
const POLL_MS = 200;

/**
 * Lifts the bounds on how long a statement, a lock and a session may take, for the session or the transaction; some
 * exist in newer versions of PostgreSQL only.
 */
const unbounded = (isLocal: boolean): string => `
  select set_config(name, '0', ${isLocal}) from pg_settings where name in ('statement_timeout', 'lock_timeout',
    'transaction_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout')`;

/**
 * Ends a transaction whose process is gone within seconds, where the system of the server lets PostgreSQL find that
 * out: it would keep its locks until its statement is done, only to be rolled back. A statement outside a transaction
 * goes on: the next instance keeps the index that it builds.
 */
const ENDS_WITH_PROCESS = `
  select set_config(name, '2s', true) from pg_settings
  where name = 'client_connection_check_interval' and version() like '%linux%'`;

type Migrations = readonly (new () => MigrationInterface)[];

/**
 * Brings the schema up to date. Instances that start at the same time take turns: one migrates, the others find nothing
 * to do. Neither a migration nor the wait for another instance's is bounded in time; one that waits for the lock of a
 * table lets requests go first every second, and is given up after ten minutes: see `MigrationLocks`. The log says what
 * is waited for: see `MigrationWaits`.
 *
 * Works on a connection of its own, outside the pool of the data source, and closes it.
 *
 * @param others migrations beside those of the data source
 * @returns the names of the migrations that ran
 * @throws MigrationLockError where others held a lock for too long
 */
export function migrate(dataSource: DataSource, others: Migrations = []): Promise<string[]> {
  return inTurn(dataSource, others, async (executor, runner, retry) => {
    executor.transaction = 'each';
    const before = new Set((await executor.getExecutedMigrations()).map(({ name }) => name));
    await retry(() => executor.executePendingMigrations());
    await protectList(runner);
    const executed = (await executor.getExecutedMigrations()).map(({ name }) => name);
    return executed.filter((name) => !before.has(name)).toReversed();
  });
}

const LIST = 'migrations';
const LIST_WRITERS = `
  select distinct case grantee when 0 then 'public' else grantee::regrole::text end as role
  from pg_class, aclexplode(relacl)
  where oid = '${LIST}'::regclass and relowner = current_user::regrole and grantee <> relowner
    and privilege_type in ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')`;

/**
 * Revokes from all roles but the owner the right to write the list of migrations, which default privileges may grant.
 */
async function protectList(runner: QueryRunner): Promise<void> {
  const writers = (await runner.query(LIST_WRITERS)) as { role: string }[];
  for (const { role } of writers)
    await runner.query(`revoke insert, update, delete, truncate on ${LIST} from ${role}`);
}

/**
 * Takes the migration back that ran last, in its turn as `migrate` does.
 *
 * @returns its name; `undefined`: none has run
 * @throws Error where this build does not know that migration
 */
export function revert(dataSource: DataSource, others: Migrations = []): Promise<string | undefined> {
  return inTurn(dataSource, others, async (executor, runner, retry) => {
    const executed = await executor.getExecutedMigrations();
    const last = executed.toSorted((a, b) => (b.id ?? 0) - (a.id ?? 0))[0];
    if (!last) return undefined;
    const instance = runner.dataSource.migrations.find((known) => nameOf(known) === last.name);
    executor.transaction = instance?.transaction === false ? 'none' : 'each';
    await retry(() => executor.undoLastMigration());
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

/** Repeats what is given up for a lock that others hold. */
type Retry = <Result>(work: () => Promise<Result>) => Promise<Result>;

type Work<Result> = (executor: MigrationExecutor, runner: QueryRunner, retry: Retry) => Promise<Result>;

/** Does the work while no other instance migrates. */
function inTurn<Result>(dataSource: DataSource, others: Migrations, work: Work<Result>): Promise<Result> {
  const waits = new MigrationWaits(dataSource);
  const locked: Work<Result> = async (executor, runner, retry) => {
    if (!sharesSessions(dataSource.options)) {
      // The end of the session frees the lock.
      await waits.forTurn(() => waitForTurn(runner));
      return work(executor, runner, retry);
    }
    // Only an open transaction has a session to itself: one on a second connection holds the lock.
    const holder = runner.dataSource.createQueryRunner();
    try {
      await waits.forTurn(() => waitForTurnInTransaction(holder));
      return await work(executor, runner, retry);
    } finally {
      if (holder.isTransactionActive) await holder.rollbackTransaction();
      await holder.release();
    }
  };
  return waits.during(() => onOwnConnection(dataSource, others, locked));
}

/**
 * Asks for the lock in one transaction after the other, until one has it, which stays open. One without the lock ends
 * at once: the instance that migrates may need its session.
 */
async function waitForTurnInTransaction(holder: QueryRunner): Promise<void> {
  for (;;) {
    await holder.startTransaction();
    await holder.query(unbounded(true));
    if (await isLocked(holder, 'pg_try_advisory_xact_lock')) return;
    await holder.rollbackTransaction();
    await sleep(POLL_MS);
  }
}

async function onOwnConnection<Result>(
  dataSource: DataSource,
  others: Migrations,
  work: Work<Result>,
): Promise<Result> {
  const options = migrationOptions(dataSource.options);
  const log = new MigrationLog();
  const own = await new DataSource({
    ...options,
    logger: log,
    migrations: [...Object.values(options.migrations ?? []), ...others],
  }).initialize();
  try {
    const runner = own.createQueryRunner();
    const locks = await liftBounds(runner, sharesSessions(options));
    return await work(new MigrationExecutor(own, runner), runner, (work) => locks.retry(work, log));
  } finally {
    await own.destroy();
  }
}

/**
 * Lifts bounds for the session, or for each of its transactions where the session is shared, but for the one on how
 * long it waits for a lock. Outside of transactions a shared session has those of its role.
 */
async function liftBounds(runner: QueryRunner, isShared: boolean): Promise<MigrationLocks> {
  if (isShared)
    return new MigrationLocks(runner, async () => {
      await runner.query(unbounded(true));
      await runner.query(ENDS_WITH_PROCESS);
    });
  await runner.query(unbounded(false));
  const locks = new MigrationLocks(runner, () => runner.query(ENDS_WITH_PROCESS));
  await locks.boundSession();
  return locks;
}

/**
 * Asks for the lock until it is free. A statement that waits for it would hold a snapshot, and a migration that builds
 * an index concurrently would wait for that one in its turn.
 */
async function waitForTurn(runner: QueryRunner): Promise<void> {
  while (!(await isLocked(runner, 'pg_try_advisory_lock'))) await sleep(POLL_MS);
}

async function isLocked(
  runner: QueryRunner,
  lock: 'pg_try_advisory_lock' | 'pg_try_advisory_xact_lock',
): Promise<boolean> {
  // Without parameters, by the simple protocol: with some, the portal would keep its snapshot for as long as the
  // transaction that holds the lock lasts, and an index that is built concurrently would wait for it.
  const text = `select ${lock}(${MIGRATION_LOCK}) as "isHeld"`;
  const [row] = (await runner.query(text)) as { isHeld: boolean }[];
  return row?.isHeld === true;
}
