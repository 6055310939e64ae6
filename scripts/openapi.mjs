/**
 * `npm run openapi`: builds the OpenAPI document, dist/openapi.json, and writes what the service and its base promise:
 * docs/api-surface.txt for clients, packages/core/public-api.txt for modules.
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
const { publicApi } = await import('../dist/tools/openapi/public-api.js');
const { surfaceOf } = await import('../dist/tools/openapi/surface.js');

writeFileSync(SURFACE, `${surfaceOf(readDocument()).join('\n')}\n`);
writeFileSync(inRoot('packages/core/public-api.txt'), publicApi(root));
console.log('wrote docs/api-surface.txt and packages/core/public-api.txt; the document is dist/openapi.json');
