import { randomBytes } from 'node:crypto';

import pg from 'pg';

import { withClient } from '../database-client.js';

/** A database of its own for one test file. */
export interface TestDatabase {
  /** `postgres://user:password@host:port/name` */
  readonly url: string;
  /** Runs a statement on any connection. Returns a `bigint`, such as an id, as a number. */
  readonly query: <Row extends object = Record<string, unknown>>(
    text: string,
    values?: unknown[],
  ) => Promise<Row[]>;
  drop(): Promise<void>;
}

/**
 * Creates a database on the test server, which the global setup of `@plinth/dev/jest` starts. The database is empty, or a
 * copy of the one that `TEST_TEMPLATE` names. Call `drop()` after the tests.
 *
 * @throws Error if there is no server
 */
export async function createDatabase(): Promise<TestDatabase> {
  const { TEST_SERVER_URL: server, TEST_TEMPLATE: template } = process.env;
  if (!server)
    throw new Error(
      'TEST_SERVER_URL is not set: jest.config.js must export jestConfig() of @plinth/dev/jest',
    );
  const name = `service_test_${randomBytes(6).toString('hex')}`;
  const from = template ? `template "${template}" strategy file_copy` : '';
  const { RESULT_TYPES: types } = await import('@plinth/core/dev');
  const onServer = (text: string) => withClient({ connectionString: server }, (client) => client.query(text));
  await onServer(`create database "${name}" ${from}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const pool = new pg.Pool({ connectionString: url, allowExitOnIdle: true });
  // A test may end the sessions of the pool, or stop the server.
  pool.on('error', () => undefined);
  return {
    url,
    query: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await pool.query<Row>({ text, values, types })).rows,
    drop: async () => {
      await pool.end();
      await onServer(`drop database if exists "${name}" with (force)`);
    },
  };
}
