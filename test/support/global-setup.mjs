import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import pg from 'pg';

import { ensureBuilt } from '../../scripts/lib/build.mjs';
import { inRoot } from '../../scripts/lib/paths.mjs';
import { makeTemporaryFolder } from '../../scripts/lib/temporary-folder.mjs';
import globalTeardown from './global-teardown.mjs';
import { setTemporaryFolder } from './leftovers.mjs';
import { ServiceHosts } from './service-hosts.mjs';

/** The memory that a run may need if its temporary folder is in memory. */
const MEMORY_BYTES = 3e9;

/** The signals that stop a run early. npm and CI send SIGTERM. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 };

/**
 * Runs before all tests that use data. Starts a temporary folder for the whole run, a PostgreSQL server (that
 * of `DATABASE_URL`, or a temporary embedded one) with a migrated template for the databases of tests, and
 * the hosts of services. Jest runs this outside its module system, so it uses the built service, as
 * production does. Everything it starts is in `globalThis.testRun` for the teardown.
 */
export default async function globalSetup() {
  // `npm test` checks types separately.
  await ensureBuilt({ types: false });
  const outerFolder = tmpdir();
  const run = (globalThis.testRun = { outerFolder, folder: temporaryFolder() });
  for (const [signal, code] of Object.entries(SIGNALS)) {
    process.once(signal, () => void globalTeardown().finally(() => process.exit(code)));
  }
  try {
    await start(run);
  } catch (error) {
    await globalTeardown();
    throw error;
  }
}

async function start(run) {
  run.embedded = process.env.DATABASE_URL ? undefined : await startServer(run.folder);
  run.url = process.env.DATABASE_URL ?? run.embedded.url;
  run.template = `service_template_${process.pid}`;
  run.databases = [run.template];
  await query(run.url, `drop database if exists "${run.template}"`);
  await query(run.url, `create database "${run.template}"`);
  await migrateDatabase(databaseUrl(run.url, run.template), run.folder);
  run.hosts = await ServiceHosts.listen(async () => {
    const name = `service_test_${randomBytes(6).toString('hex')}`;
    run.databases.unshift(name);
    await createFrom(run.url, run.template, name);
    return databaseUrl(run.url, name);
  });
  process.env.TEST_SERVER_URL = run.url;
  process.env.TEST_TEMPLATE = run.template;
  process.env.TEST_HOSTS_URL = run.hosts.url;
}

/**
 * Redirects the temporary folder of this run and its processes, so that their files are found in one place.
 * It is in memory if possible, because each database has some 300 files, and creating them on disk takes
 * longer than the tests.
 */
function temporaryFolder() {
  const folder = makeTemporaryFolder('service-test-', MEMORY_BYTES);
  // Has the permissions of the folder that it replaces, because PostgreSQL may run as another user.
  chmodSync(folder, 0o1777);
  setTemporaryFolder(folder);
  return folder;
}

async function startServer(folder) {
  const { openEmbeddedDatabase } =
    await import('../../packages/dev/dist/embedded-postgres/embedded-database.js');
  return openEmbeddedDatabase({
    directory: join(folder, 'database'),
    durable: false,
    log: () => undefined,
  });
}

/**
 * Runs the migrations in another process, because modules loaded in this process would be visible to a test
 * file that runs alone in it.
 */
async function migrateDatabase(url, cwd) {
  // A folder without a .env file.
  const options = { cwd, env: { ...process.env, DATABASE_URL: url } };
  await promisify(execFile)(process.execPath, [inRoot('dist/src/migrate.js')], options);
}

const databaseUrl = (server, name) => Object.assign(new URL(server), { pathname: `/${name}` }).href;

const createFrom = (url, template, name) =>
  query(url, `create database "${name}" template "${template}" strategy file_copy`);

/** Runs a statement on a connection of its own. */
export async function query(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
