import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import globalTeardown from './global-teardown.mjs';

/** What stops a run before its end. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 };

/**
 * Before all tests: a PostgreSQL server, the one of `DATABASE_URL`, or an embedded one in a temporary folder. Test files
 * create their databases on it. What is started is in `globalThis.testRun`, where the teardown finds it.
 */
export default async function globalSetup() {
  process.env.TEST_SERVER_URL = process.env.DATABASE_URL ?? (await startServer());
}

async function startServer() {
  const { openEmbeddedDatabase } = await import('../../dist/embedded-postgres/embedded-database.js');
  const directory = mkdtempSync(join(tmpdir(), 'plinth-test-'));
  const run = (globalThis.testRun = { directory });
  for (const [signal, code] of Object.entries(SIGNALS))
    process.once(signal, () => void globalTeardown().finally(() => process.exit(code)));
  try {
    run.server = await openEmbeddedDatabase({ directory, durable: false, log: () => undefined });
    return run.server.url;
  } catch (error) {
    await globalTeardown();
    throw error;
  }
}
