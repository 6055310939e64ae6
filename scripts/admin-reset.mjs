/** `npm run admin:reset`: installs and builds what is missing or stale, then gives the administrator a new password. */
import './lib/node-version.mjs';
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('src/admin-reset.js');
