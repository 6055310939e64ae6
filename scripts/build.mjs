/** `npm run build`: compiles src/ into dist/, with the packages as they are. */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';

await ensureBuilt({ force: true });
