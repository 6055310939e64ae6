/**
 * `npm run client`: generates the TypeScript client anew from the OpenAPI document of the service, and builds it.
 * `npm run client -- --from <file or URL>` takes another document.
 */
import './lib/node-version.mjs';
import { readFileSync } from 'node:fs';
import { ensureBuilt } from './lib/build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { ensureDocument, readDocument } from './lib/openapi.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

process.chdir(root);
const [option, source] = process.argv.slice(2);
if (option !== undefined && (option !== '--from' || source === undefined)) {
  console.error('usage: npm run client [-- --from <file or URL of an OpenAPI document>]');
  process.exit(2);
}
await ensureInstalled();
await ensureBuilt();
const { changedFiles, clientFiles, writeFiles } = await import('./lib/client-files.mjs');
const { PRODUCT } = await import('../dist/src/core/config/product.js');

const files = await clientFiles(await documentFrom(source), PRODUCT.clientPackage);
const changed = changedFiles(files);
writeFiles(files);
for (const path of changed) console.log(`wrote ${path}`);
const { code } = await runNode([inRoot('clients/typescript/build.mjs')]);
if (code === 0) console.log(`${PRODUCT.clientPackage} is built: clients/typescript/`);
process.exitCode = code;

async function documentFrom(place) {
  if (place === undefined) {
    await ensureDocument();
    return readDocument();
  }
  if (!/^https?:/.test(place)) return JSON.parse(readFileSync(place, 'utf8'));
  return fetched(place);
}

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return response.json();
}
