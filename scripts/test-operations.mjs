/**
 * `npm run test:operations`: the tests that start, stop, kill and starve processes of the built service; see
 * docs/testing.md. Takes arguments of Jest.
 */
import './lib/node-version.mjs';
import { report } from './lib/checks.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { runJest, suiteArguments } from './lib/jest.mjs';
import { root } from './lib/paths.mjs';

process.chdir(root);
delete process.env.E2E_BASE_URL;
await ensureInstalled();
process.exitCode = report([await runJest(suiteArguments('operations', process.argv.slice(2)))]);
