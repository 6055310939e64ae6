import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import globalTeardown from './global-teardown.mjs';

/** The signals that stop a run early, with their exit codes. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 };

/**
 * Provides the PostgreSQL server on which test files create their databases: the server of `DATABASE_URL`, or an embedded
 * one in a temporary folder. Stores the embedded server in `globalThis.testRun` for the teardown.
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
