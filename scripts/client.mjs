/** `npm run client`: generates the TypeScript client anew from the OpenAPI document of the service, and builds it. */
import './lib/node-version.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { ensureDocument, readDocument } from './lib/openapi.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

process.chdir(root);
await ensureInstalled();
await ensureDocument();
const { changedFiles, clientFiles, writeFiles } = await import('./lib/client-files.mjs');
const { PRODUCT } = await import('../packages/core/dist/config/product.js');

const files = await clientFiles(readDocument(), PRODUCT.clientPackage);
const changed = changedFiles(files);
writeFiles(files);
for (const path of changed) console.log(`wrote ${path}`);
const { code } = await runNode([inRoot('clients/typescript/build.mjs')]);
if (code === 0) console.log(`${PRODUCT.clientPackage} is built: clients/typescript/`);
process.exitCode = code;
