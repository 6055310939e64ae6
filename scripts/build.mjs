/**
 * `npm run build`: compiles src/ into dist/, with the packages as they are; `--if-stale`: unless dist/ holds just that.
 */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';

await ensureBuilt({ force: !process.argv.includes('--if-stale') });
