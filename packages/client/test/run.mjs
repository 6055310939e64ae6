/**
 * `npm run client:check`: the application's client and its runtime against the service. What is generated is current, the
 * packages hold what they say, their tests pass in Node.js and Chromium, the example works. The last line counts.
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
