/**
 * `npm start`: installs and builds what is missing or stale, then becomes the server. The server runs in this
 * process, so signals reach it directly.
 */
import './lib/node-version.mjs';
import { pathToFileURL } from 'node:url';
import { MAIN, ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root } from './lib/paths.mjs';

process.chdir(root);
await ensureInstalled();
await ensureBuilt();
await import(pathToFileURL(MAIN).href);
if (process.env.npm_lifecycle_event) stopWithParent();

/**
 * npm passes SIGTERM on to the shell that it runs us in, and that shell ends without telling us: what we would be left
 * as is a server without an owner, on its port.
 */
function stopWithParent() {
  const parent = process.ppid;
  const watch = () => process.ppid !== parent && process.kill(process.pid, 'SIGTERM');
  setInterval(watch, 500).unref();
}
