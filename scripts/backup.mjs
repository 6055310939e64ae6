/** `npm run backup -- <file>`: installs and builds what is missing or stale, then runs tools/backup/backup.ts. */
import './lib/node-version.mjs';
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('tools/backup/backup.js');
