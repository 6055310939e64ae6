/**
 * `npm run openapi`: builds the OpenAPI document, dist/openapi.json, writes its surface to docs/api-surface.txt, and
 * tells what of the last release's surface it breaks.
 */
import './lib/node-version.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { ensureInstalled } from './lib/install.mjs';
import { ensureDocument, readDocument } from './lib/openapi.mjs';
import { inRoot, root } from './lib/paths.mjs';

const SURFACE = inRoot('docs/api-surface.txt');
const RELEASED_SURFACE = inRoot('docs/api-surface.released.txt');

process.chdir(root);
await ensureInstalled();
await ensureDocument();
const { surfaceOf } = await import('../dist/tools/openapi/surface.js');
const { breakingChanges } = await import('../dist/tools/openapi/breaking-changes.js');

const surface = surfaceOf(readDocument());
writeFileSync(SURFACE, `${surface.join('\n')}\n`);
console.log('wrote docs/api-surface.txt; the document is dist/openapi.json');
const changes = breakingChanges(readFileSync(RELEASED_SURFACE, 'utf8').trim().split('\n'), surface);
if (changes.length > 0) {
  console.log('For clients of the last release this breaks (CHANGELOG.md has to name it):');
  for (const change of changes) console.log(`  ${change}`);
}
