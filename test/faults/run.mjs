/**
 * `npm run test:faults` applies faults to the real service, and checks that no acknowledged write is lost. See
 * docs/testing.md.
 */
import '../../scripts/lib/node-version.mjs';

import { parseArgs } from 'node:util';

import { ensureBuilt } from '../../scripts/lib/build.mjs';
import { ensureInstalled } from '../../scripts/lib/install.mjs';

await ensureInstalled();
await ensureBuilt();

/** The first lane mostly waits, so it runs in parallel with the others. */
const LANES = [
  ['postgres-frozen'],
  ['postgres-restarts', 'server-killed', 'connections', 'redis-ill', 'rolling-restart'],
];

const [{ cleanUpOnSignals, Scope }, { Lab, prepare }, { Random }, { Report }] = await Promise.all([
  import('./lib/cleanup.mjs'),
  import('./lib/lab.mjs'),
  import('./lib/random.mjs'),
  import('./lib/report.mjs'),
]);

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: LANES.flat() },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const scopes = new Set([Scope.whole]);
cleanUpOnSignals(() => [...scopes]);

const begin = performance.now();
const report = new Report(values.seed);
const random = new Random(Number(values.seed));
await Promise.all(
  LANES.map((names) =>
    runLane(
      names.filter((name) => values.only.includes(name)),
      random.fork(),
    ),
  ),
);
await Scope.whole.end();
console.log(`\n${Math.round((performance.now() - begin) / 1000)} s`);
process.exit(report.end());

/** Runs experiments one after another, on a PostgreSQL server of their own. */
async function runLane(names, itsRandom) {
  if (names.length === 0) return;
  const cluster = await prepare();
  for (const name of names) {
    const { default: run } = await import(`./experiments/${name}.mjs`);
    const lab = new Lab({ cluster, random: itsRandom.fork(), report });
    scopes.add(lab.scope);
    if (!cluster.isRunning) await cluster.start();
    // An experiment that cannot run also prints a line of the table.
    await lab.make(name, run);
    await lab.scope.end();
    scopes.delete(lab.scope);
  }
}
