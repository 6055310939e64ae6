import { setTimeout as sleep } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { DataSource, DataSourceOptions, MigrationInterface, QueryRunner } from 'typeorm';

import { PRODUCT } from '../config/product.js';
import { databaseErrorCode, isLockTimeout } from './database-error.js';

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

/** The schema of the database: the migrations of the service, and those that its modules bring along. */
@Injectable()
export class DatabaseSchema {
  constructor(private readonly dataSource: DataSource) {}

  migrate(): Promise<string[]> {
    return migrate(this.dataSource);
  }

  async pendingMigrations(): Promise<string[]> {
    const rows = await this.dataSource
      .query<{ name: string }[]>('select name from migrations')
      .catch((error: unknown) => {
        // The table is not there: no migration has run.
        if (databaseErrorCode(error) === '42P01') return [];
        throw error;
      });
    const applied = new Set(rows.map(({ name }) => name));
    const names = this.dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name);
    return names.filter((name) => !applied.has(name));
  }

  /** The reasons why the database cannot serve requests, as half sentences; empty: it can. Never throws. */
  async readinessFaults(): Promise<string[]> {
    try {
      return (await this.pendingMigrations()).map((name) => `the migration ${name} is missing`);
    } catch {
      return ['the database does not answer'];
    }
  }
}

const INDEX_STATEMENT = /^create (?:unique )?index concurrently if not exists (\S+) on /;

/**
 * Builds an index by `create index concurrently if not exists …`, outside a transaction; anew if one was given up.
 * @throws Error for a statement of another form
 * @example await buildIndex(queryRunner, 'create index concurrently if not exists "orders_note" on "orders" ("note")');
 */
export async function buildIndex(queryRunner: QueryRunner, statement: string): Promise<void> {
  const name = INDEX_STATEMENT.exec(statement)?.[1];
  if (name === undefined) throw new Error(`not "create index concurrently if not exists": ${statement}`);
  const state = 'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)';
  const [found] = (await queryRunner.query(state, [name])) as { isValid: boolean }[];
  if (found?.isValid) return;
  if (found) await queryRunner.query(`drop index concurrently if exists ${name}`);
  await queryRunner.query(statement);
}
