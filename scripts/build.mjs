/** `npm run build`: compiles src/ and ormconfig.ts into dist/, with the packages as they are. */
import './lib/node-version.mjs';
import { ensureBuilt } from './lib/build.mjs';

await ensureBuilt({ force: true });
