/**
 * `npm run test:faults`: mistreats the real service and proves that nothing acknowledged is lost; see docs/testing.md.
 */
import '../../scripts/lib/node-version.mjs';

import { ensureBuilt } from '../../scripts/lib/build.mjs';
import { ensureInstalled } from '../../scripts/lib/install.mjs';

await ensureInstalled();
await ensureBuilt();

const [
  { EXPERIMENTS },
  { cleanUpOnSignals, Scope },
  { Lab, Skipped },
  { Lane },
  { readOptions },
  { Random },
  { Report },
  { Row },
] = await Promise.all([
  import('./experiments/all.mjs'),
  import('./lib/cleanup.mjs'),
  import('./lib/lab.mjs'),
  import('./lib/lane.mjs'),
  import('./lib/options.mjs'),
  import('./lib/random.mjs'),
  import('./lib/report.mjs'),
  import('./lib/row.mjs'),
]);

const { experiments, isLong, isVerbose, seed } = readOptions(process.argv.slice(2), EXPERIMENTS);
const report = new Report({ isVerbose });
const random = new Random(seed);
const labs = new Set();
cleanUpOnSignals(() => [...[...labs].map(({ scope }) => scope), Scope.whole]);

const begin = performance.now();
report.begin(seed);
const planned = experiments.map((experiment) => ({ experiment, random: random.fork() }));
// Those that wait most of the time leave the machine to the others.
const lanes = [({ isQuiet }) => isQuiet, ({ isQuiet }) => !isQuiet];
await Promise.all(lanes.map((isIts) => runLane(planned.filter(({ experiment }) => isIts(experiment)))));
await Scope.whole.end();
console.log(`\n${Math.round((performance.now() - begin) / 1000)} s`);
process.exit(report.end());

/** Makes experiments one after another. */
async function runLane(plans) {
  const lane = new Lane();
  for (const { experiment, random: own } of plans) {
    const lab = new Lab({ lane, isLong, random: own, report: (row) => report.row(row) });
    labs.add(lab);
    await runOne(experiment, lab);
    await lab.scope.end();
    labs.delete(lab);
  }
}

async function runOne(experiment, lab) {
  try {
    await experiment.run(lab);
  } catch (error) {
    const row = new Row(experiment.name, experiment.about);
    if (error instanceof Skipped) row.skipped = error.message;
    else row.failures.push(`it could not be made: ${isVerbose ? error.stack : error.message}`);
    report.row(row);
  }
}
