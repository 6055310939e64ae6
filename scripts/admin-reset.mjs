/** `npm run admin:reset`: installs and builds what is missing or stale, then gives the administrator a new password. */
import './lib/node-version.mjs';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, root } from './lib/paths.mjs';

process.chdir(root);
await ensureInstalled();
await ensureBuilt();
await import(pathToFileURL(inRoot('dist/src/admin-reset.js')).href);
