/**
 * `npm test`: installs what is missing, then runs all tests but those of `npm run test:operations`, with lint, format
 * and types beside them. `npm test -- <arguments>` runs only Jest, with those arguments.
 */
import './lib/node-version.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root } from './lib/paths.mjs';
import { report, runChecks } from './lib/checks.mjs';
import { runJest } from './lib/jest.mjs';

process.chdir(root);
const args = process.argv.slice(2);
await ensureInstalled();
const results =
  args.length > 0
    ? [await runJest(args)]
    : (await Promise.all([runChecks(), runJest(['--ignoreProjects', 'operations'])])).flat();
process.exitCode = report(results);
