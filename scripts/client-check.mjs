/**
 * `npm run client:check`: the TypeScript client against the service. What is generated is current, the package holds
 * what it says, its tests pass in Node.js and Chromium, the example works. The last line counts.
 */
import './lib/node-version.mjs';
import { report } from './lib/checks.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

process.chdir(root);
await ensureInstalled();
await ensureBuilt();
const { code } = await runNode([inRoot('clients/typescript/build.mjs')]);
if (code !== 0) process.exit(code);
// They import what was built just now.
const { checkClient } = await import('./lib/client-checks.mjs');
const { PRODUCT } = await import('../packages/core/dist/config/product.js');
process.exitCode = report(await checkClient(PRODUCT.clientPackage));
