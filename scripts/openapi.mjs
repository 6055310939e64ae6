/** `npm run openapi`: writes docs/openapi.json and docs/api-surface.txt anew, and checks them. */
import './lib/node-version.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { runNode } from './lib/run.mjs';

process.chdir(root);
await ensureInstalled();
const jest = inRoot('node_modules/jest/bin/jest.js');
const test = ['--selectProjects', 'architecture', '--runTestsByPath', 'test/architecture/openapi.test.ts'];
const { code } = await runNode([jest, ...test], { env: { ...process.env, UPDATE_OPENAPI: '1' } });
process.exitCode = code;
