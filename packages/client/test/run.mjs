/**
 * `npm run client:check` tests the application's client and its runtime against the service: the generated code is
 * current, the packages work as documented, their tests pass in Node.js and Chromium, and the example works. The last
 * line counts the results.
 */
import '../../../scripts/lib/node-version.mjs';
import { report } from '../../../scripts/lib/checks.mjs';
import { ensureBuilt } from '../../../scripts/lib/build.mjs';
import { ensureInstalled } from '../../../scripts/lib/install.mjs';
import { inRoot, root } from '../../../scripts/lib/paths.mjs';
import { run } from '../../../scripts/lib/run.mjs';

process.chdir(root);
await ensureInstalled();
await ensureBuilt();
const { code } = await run('npm', ['run', '--silent', 'build'], { cwd: inRoot('client') });
if (code !== 0) process.exit(code);
// Imported only now, because these modules import the build.
const { checkClient } = await import('./checks.mjs');
process.exitCode = report(await checkClient());
