import { rmSync } from 'node:fs';

import { leftovers, setTemporaryFolder } from './leftovers.mjs';

/**
 * Runs after all tests and stops what the setup has started. A run fails, whatever its tests say, if it
 * leaves a process, a service, a file in the temporary folder or a database behind.
 */
export default async function globalTeardown() {
  const run = globalThis.testRun;
  if (!run) return;
  globalThis.testRun = undefined;
  const faults = [...((await run.hosts?.stop()) ?? []), ...(await removeDatabases(run))];
  if (run.embedded) {
    await run.embedded.stop();
    const { removeEmbeddedDatabase } =
      await import('../../packages/dev/dist/embedded-postgres/embedded-database.js');
    await removeEmbeddedDatabase(`${run.folder}/database`);
  }
  faults.push(...(await leftovers(run.folder)));
  rmSync(run.folder, { recursive: true, force: true });
  setTemporaryFolder(run.outerFolder);
  if (faults.length === 0) return;
  console.error(`\nThe tests left something behind:\n${faults.map((fault) => `  ${fault}\n`).join('')}`);
  // Jest keeps an exit code that is already set, whereas an error here would lose the results.
  process.exitCode = 1;
}

/** Drops the databases of the run. Those of test files should be gone already. Resolves to the faults. */
async function removeDatabases({ url, databases = [], embedded }) {
  if (!url) return [];
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const name of databases) await client.query(`drop database if exists "${name}" with (force)`);
    // A server that was not started here may serve other runs.
    if (!embedded) return [];
    const { rows } = await client.query(`select datname from pg_database where datname like 'service\\_%'`);
    return rows.map(({ datname }) => `a test file left the database ${datname}`);
  } finally {
    await client.end();
  }
}
