/**
 * `npm run packages:check` uses the packed packages as a team would, only from tarballs: it creates, tests, extends and
 * upgrades projects, and installs them for production. The last line counts the results.
 */
import './lib/node-version.mjs';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './lib/build.mjs';
import { report, secondsSince } from './lib/checks.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { byVersion, packAll, parts, releases } from './lib/pack.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { makeTemporaryFolder } from './lib/temporary-folder.mjs';

process.chdir(root);
await ensureInstalled();
await ensureBuilt();
// Imported only now, because these modules import installed and built packages.
const { startRegistry } = await import('../packages/create/test/registry.mjs');
const { checkClone, checkMinimal, checkProject, checkRefusals } =
  await import('../packages/create/test/checks.mjs');
const { checkUpgrade } = await import('../packages/create/test/upgrade.mjs');
const { openEmbeddedDatabase, removeEmbeddedDatabase } =
  await import('../packages/dev/dist/embedded-postgres/embedded-database.js');

const folder = makeTemporaryFolder('packages-check-', 4e9);
const directory = join(folder, 'database');
const packed = join(folder, 'packed');
const results = [];
await check('the packages are packed', () => packAll(packed));
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
// Upgrades are checked only within a major version, because a major release may break projects.
const before = releases().findLast(
  (one) => byVersion(one, version) < 0 && parts(one)[0] === parts(version)[0],
);
const registry = await startRegistry(before ? [inRoot('releases', before), packed] : [packed]);
const emptyRegistry = await startRegistry([]);
const database = await openEmbeddedDatabase({ directory, durable: false, log: () => undefined });
const env = { ...process.env, ...registry.env };
const withoutRegistry = { ...process.env, ...emptyRegistry.env };
const setting = { check, folder, packed, version, before, env, withoutRegistry, database: database.url };
try {
  // A failure skips only the checks that depend on it.
  await Promise.allSettled([
    checkClone(setting)
      .then(() => checkRefusals(setting))
      .then(() => checkProject(setting)),
    checkMinimal(setting).then(() => before && checkUpgrade(setting)),
  ]);
} finally {
  await database.stop();
  await removeEmbeddedDatabase(directory);
  registry.stop();
  emptyRegistry.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = report(results);

/** Runs and counts a check. @throws Error if it fails */
async function check(name, work) {
  const begin = performance.now();
  try {
    await work();
    results.push({ name, passed: 1, failed: 0, seconds: secondsSince(begin) });
  } catch (error) {
    results.push({ name, passed: 0, failed: 1, seconds: secondsSince(begin), output: error.stack });
    throw error;
  }
}
