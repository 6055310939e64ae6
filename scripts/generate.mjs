/**
 * `npm run generate -- resource <plural> <field:type>…`: installs and builds what is missing or stale, then generates.
 */
import './lib/node-version.mjs';
import { runBuilt } from './lib/run-built.mjs';

await runBuilt('tools/generate/generate-resource.js');
