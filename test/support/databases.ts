import { randomBytes } from 'node:crypto';

import { eventually, TestDatabase } from '@plinth/dev/testing';
import { Client } from 'pg';

import { RESULT_TYPES } from '../../packages/core/src/database/result-types.js';
import { endKept, runOnKept } from './kept-connections.js';

export type { TestDatabase } from '@plinth/dev/testing';

/** A migrated, empty database, copied from the template. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `service_test_${randomBytes(6).toString('hex')}`;
  await createFrom(process.env['TEST_TEMPLATE'] ?? '', name);
  const url = databaseOf(name);
  return { url, query: (text, values) => runOnKept(url, text, values), drop: () => dropIfThere(name) };
}

/** The URL of a database on the server of the test run. */
export function databaseOf(name: string): string {
  const url = new URL(process.env['TEST_SERVER_URL'] ?? '');
  url.pathname = `/${name}`;
  return url.href;
}

/** Copies the files of a database, which takes half as long as copying it through the log. */
export async function createFrom(template: string, name: string): Promise<void> {
  await endKept(databaseOf(template));
  const text = `create database "${name}" template "${template}" strategy file_copy`;
  await runOnKept(process.env['TEST_SERVER_URL'] ?? '', text);
}

export async function dropIfThere(name: string): Promise<void> {
  await endKept(databaseOf(name));
  await runOnKept(process.env['TEST_SERVER_URL'] ?? '', `drop database if exists "${name}" with (force)`);
}

/** Runs a statement on a connection of its own. */
export async function run<Row extends object>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>({ text, values, types: RESULT_TYPES })).rows;
  } finally {
    await client.end();
  }
}

/**
 * Waits until the given number of connections to a database wait for locks, which shows how far requests have
 * come.
 *
 * @throws Error if that does not happen
 */
export async function waitersForLocks(url: string, count: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const text = `select count(*)::int from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const areThere = async (): Promise<boolean> =>
    ((await client.query<{ count: number }>(text)).rows[0]?.count ?? 0) >= count;
  try {
    await eventually(areThere, true, 30_000);
  } finally {
    await client.end();
  }
}
