/** `npm run migration:generate -- <name>`: installs and builds what is missing or stale, then writes a migration. */
import './lib/node-version.mjs';
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('tools/migrations/generate-migration.js');
