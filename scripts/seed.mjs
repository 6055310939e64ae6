/** `npm run seed -- <options>`: installs and builds what is missing or stale, then fills the database. */
import './lib/node-version.mjs';
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('tools/seed/seed.js');
