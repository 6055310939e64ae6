import { rmSync } from 'node:fs';

import { leftovers, setTemporaryFolder } from './leftovers.mjs';

/**
 * After all tests: stops what the setup started. A run that leaves a process, a service, a file in the temporary
 * folder or a database behind has failed, whatever its tests say.
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
  // Jest keeps a code that is set already; an error here would lose the results.
  process.exitCode = 1;
}

/** Drops the databases of the run; those of test files should be gone. Resolves to the faults. */
async function removeDatabases({ url, databases = [], embedded }) {
  if (!url) return [];
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const name of databases) await client.query(`drop database if exists "${name}" with (force)`);
    // A server of somebody else's may serve other runs.
    if (!embedded) return [];
    const { rows } = await client.query(`select datname from pg_database where datname like 'service\\_%'`);
    return rows.map(({ datname }) => `a test file left the database ${datname}`);
  } finally {
    await client.end();
  }
}
