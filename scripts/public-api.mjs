/** Writes packages/core/public-api.txt, the public API of the base. `npm run openapi` calls it. */
import { writeFileSync } from 'node:fs';
import { inRoot, root } from './lib/paths.mjs';
import { entriesOf, publicApi } from './lib/public-api.mjs';

writeFileSync(inRoot('packages/core/public-api.txt'), publicApi(entriesOf(root)));
console.log('wrote packages/core/public-api.txt');
