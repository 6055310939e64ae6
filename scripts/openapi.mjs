/**
 * `npm run openapi`: builds the OpenAPI document, dist/openapi.json, and writes its surface to docs/api-surface.txt.
 */
import './lib/node-version.mjs';
import { writeFileSync } from 'node:fs';
import { ensureInstalled } from './lib/install.mjs';
import { ensureDocument, readDocument } from './lib/openapi.mjs';
import { inRoot, root } from './lib/paths.mjs';

const SURFACE = inRoot('docs/api-surface.txt');

process.chdir(root);
await ensureInstalled();
await ensureDocument();
const { surfaceOf } = await import('../dist/tools/openapi/surface.js');

writeFileSync(SURFACE, `${surfaceOf(readDocument()).join('\n')}\n`);
console.log('wrote docs/api-surface.txt; the document is dist/openapi.json');
