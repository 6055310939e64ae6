/** `npm run manifests`: installs and builds what is missing or stale, then writes deploy/kubernetes and deploy/helm. */
import './lib/node-version.mjs';
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('tools/kubernetes/write-manifests.js');
