import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';

import { ensureBuilt } from '../../scripts/lib/build.mjs';

/**
 * Before all tests that touch data: a PostgreSQL server (the one of `DATABASE_URL`, or an embedded one that is
 * thrown away) with a migrated template, of which each test file takes a copy. Jest runs this outside its module
 * system, so it works on the built service, as production does.
 */
export default async function globalSetup() {
  await ensureBuilt();
  const template = `plinth_template_${process.pid}`;
  const server = process.env.DATABASE_URL ? undefined : await startServer();
  const url = process.env.DATABASE_URL ?? server.database.url;
  process.env.TEST_SERVER_URL = url;
  process.env.TEST_TEMPLATE = template;
  // Where the teardown finds it: in the same process.
  globalThis.testServer = { url, template, ...server };
  await query(url, `drop database if exists "${template}"`);
  await query(url, `create database "${template}"`);
  await migrateDatabase(Object.assign(new URL(url), { pathname: `/${template}` }).href);
}

async function startServer() {
  const { openEmbeddedDatabase } =
    await import('../../dist/packages/embedded-postgres-server/embedded-database.js');
  const directory = mkdtempSync(join(tmpdir(), 'plinth-test-'));
  return {
    directory,
    database: await openEmbeddedDatabase({ directory, durable: false, log: () => undefined }),
  };
}

async function migrateDatabase(url) {
  const { DataSource } = await import('typeorm');
  const { dataSourceOptions } = await import('../../dist/src/database/data-source-options.js');
  const { migrate } = await import('../../dist/src/database/migrate.js');
  const settings = { poolSize: 2, statementTimeoutMs: 60_000 };
  const dataSource = await new DataSource(dataSourceOptions(url, settings)).initialize();
  await migrate(dataSource);
  await dataSource.destroy();
}

/** Runs a statement on a connection of its own. */
export async function query(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text).finally(() => client.end());
}
