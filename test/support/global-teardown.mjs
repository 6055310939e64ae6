import { query } from './global-setup.mjs';

/** After all tests: nothing of them is left, in the server that was given or on the disk. */
export default async function globalTeardown() {
  const { url, template, database, directory } = globalThis.testServer ?? {};
  if (!url) return;
  if (!database) {
    await query(url, `drop database if exists "${template}" with (force)`);
    return;
  }
  await database.stop();
  const { removeEmbeddedDatabase } =
    await import('../../dist/packages/embedded-postgres-server/remove-embedded-database.js');
  await removeEmbeddedDatabase(directory);
}
