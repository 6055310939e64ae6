/** `npm run restore -- <file>`: installs and builds what is missing or stale, then runs tools/backup/restore.ts. */
import './lib/node-version.mjs';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, root } from './lib/paths.mjs';

process.chdir(root);
await ensureInstalled();
await ensureBuilt();
await import(pathToFileURL(inRoot('dist/tools/backup/restore.js')).href);
