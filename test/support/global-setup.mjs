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

/** What a run may come to need of it where its temporary folder is in memory. */
const MEMORY_BYTES = 3e9;

/** What stops a run before its end; npm and CI send SIGTERM. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 };

/**
 * Before all tests that touch data: a temporary folder for the whole run, a PostgreSQL server (the one of
 * `DATABASE_URL`, or an embedded one that is thrown away) with a migrated template, of which each database of the
 * tests is a copy, and the hosts of services. Jest runs this outside its module system, so it works on the built
 * service, as production does. What is started here is in `globalThis.testRun`, where the teardown finds it.
 */
export default async function globalSetup() {
  // `npm test` checks types by itself.
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
 * Everything that this run and its processes put into "the temporary folder" is found in one place afterwards. Each of
 * the databases is some 300 files, and on a disk making them takes longer than the tests that use them.
 */
function temporaryFolder() {
  const folder = makeTemporaryFolder('service-test-', MEMORY_BYTES);
  // As open as the one that it stands for: PostgreSQL may run as another user.
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

/** By the program for it: what is loaded in this process is met by a test file that runs alone, in it. */
async function migrateDatabase(url, cwd) {
  // In a folder without `.env`.
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
