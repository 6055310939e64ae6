/** `npm run manifests`: installs and builds what is missing or stale, then writes deploy/kubernetes and deploy/helm. */
import './lib/node-version.mjs';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, root } from './lib/paths.mjs';

process.chdir(root);
await ensureInstalled();
await ensureBuilt();
await import(pathToFileURL(inRoot('dist/tools/kubernetes/write-manifests.js')).href);
