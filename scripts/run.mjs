/**
 * `node scripts/run.mjs <program> <arguments>` installs and builds what is missing or stale. Then it runs `plinth` or a
 * compiled file in this process, so that signals reach it directly. `npm start` uses it.
 */
import './lib/node-version.mjs';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, root } from './lib/paths.mjs';

process.chdir(root);
await ensureInstalled();
await ensureBuilt();
const [name] = process.argv.splice(2, 1);
process.argv[1] = inRoot(name === 'plinth' ? 'node_modules/@plinth/dev/dist/cli/plinth.js' : name);
await import(pathToFileURL(process.argv[1]).href);
