/**
 * `npm start`: installs and builds what is missing or stale, then becomes the server. The server runs in this
 * process, so signals reach it directly.
 */
import './lib/node-version.mjs';
import module from 'node:module';
import { pathToFileURL } from 'node:url';
import { MAIN, ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, root } from './lib/paths.mjs';

process.chdir(root);
await ensureInstalled();
await ensureBuilt();
module.enableCompileCache?.(inRoot('node_modules/.cache/compiled'));
await import(pathToFileURL(MAIN).href);
