/** `npm run restore -- <file>`: installs and builds what is missing or stale, then runs tools/backup/restore.ts. */
import './lib/node-version.mjs';
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('tools/backup/restore.js');
