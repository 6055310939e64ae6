/** Stops the embedded server and removes its folder, after all tests. */
export default async function globalTeardown() {
  const run = globalThis.testRun;
  if (!run) return;
  globalThis.testRun = undefined;
  await run.server?.stop();
  const { removeEmbeddedDatabase } = await import('../../dist/embedded-postgres/embedded-database.js');
  await removeEmbeddedDatabase(run.directory);
}
