/** `npm run client`: generates the application's typed client anew from its OpenAPI document, and builds it. */
import './lib/node-version.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

process.chdir(root);
await ensureInstalled();
await ensureBuilt();
const { changedFiles, projectFiles, writeFiles } = await import('./lib/client-files.mjs');
const { writeDocument } = await import('../packages/dev/dist/cli/openapi.js');

const files = await projectFiles(await writeDocument(root, { 'no-build': true }));
const changed = changedFiles(files);
writeFiles(files);
for (const path of changed) console.log(`wrote ${path}`);
const { code } = await run('npm', ['run', '--silent', 'build'], { cwd: inRoot('client') });
if (code === 0) console.log('the client is built: client/');
process.exitCode = code;
