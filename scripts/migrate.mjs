/** `npm run migrate`: installs and builds what is missing or stale, then brings the schema up to date. */
import './lib/node-version.mjs';
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('src/migrate.js');
