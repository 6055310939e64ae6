import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** An absolute path from one relative to the project. */
export const inRoot = (...parts) => join(root, ...parts);

/** The compiler's program. */
export const TSC = inRoot('node_modules/typescript/bin/tsc');
