/**
 * `npm run build` compiles src/ and the packages to dist/. With `--if-stale`, it does nothing if dist/ is current.
 */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';

await ensureBuilt({ force: !process.argv.includes('--if-stale') });
