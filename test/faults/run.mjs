/** `npm run test:faults`: mistreats the real service and proves that nothing acknowledged is lost; see docs/testing.md. */
import '../../scripts/lib/node-version.mjs';

import { ensureBuilt } from '../../scripts/lib/build.mjs';
import { ensureInstalled } from '../../scripts/lib/install.mjs';

await ensureInstalled();
await ensureBuilt();

const [
  { EXPERIMENTS },
  { cleanUpOnSignals, Scope },
  { Lab, Skipped },
  { readOptions },
  { Random },
  { Report },
  { Row },
] = await Promise.all([
  import('./experiments/all.mjs'),
  import('./lib/cleanup.mjs'),
  import('./lib/lab.mjs'),
  import('./lib/options.mjs'),
  import('./lib/random.mjs'),
  import('./lib/report.mjs'),
  import('./lib/row.mjs'),
]);

const { experiments, isLong, isVerbose, seed } = readOptions(process.argv.slice(2), EXPERIMENTS);
const report = new Report({ isVerbose });
const random = new Random(seed);
let current;
cleanUpOnSignals(() => [current, Scope.whole].filter(Boolean));

const begin = performance.now();
report.begin(seed);
for (const experiment of experiments) {
  const lab = new Lab({ isLong, random: random.fork(), report: (row) => report.row(row) });
  current = lab.scope;
  try {
    await experiment.run(lab);
  } catch (error) {
    const row = new Row(experiment.name, experiment.about);
    if (error instanceof Skipped) row.skipped = error.message;
    else row.failures.push(`it could not be made: ${isVerbose ? error.stack : error.message}`);
    report.row(row);
  } finally {
    await lab.scope.end();
  }
}
await Scope.whole.end();
console.log(`\n${Math.round((performance.now() - begin) / 1000)} s`);
process.exit(report.end());
