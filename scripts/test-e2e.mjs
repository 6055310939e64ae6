/**
 * `npm run test:e2e`: the end-to-end tests, against services that they start or, with `E2E_BASE_URL`, against one that
 * is already up; see docs/testing.md. Takes arguments of Jest.
 */
import './lib/node-version.mjs';
import { report } from './lib/checks.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { runJest, suiteArguments } from './lib/jest.mjs';
import { root } from './lib/paths.mjs';

process.chdir(root);
await ensureInstalled();
process.exitCode = report([await runJest(suiteArguments('e2e', process.argv.slice(2)))]);
