import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Returns the absolute path of a path in the project. */
export const inRoot = (...parts) => join(root, ...parts);

/** The TypeScript compiler. */
export const TSC = inRoot('node_modules/typescript/bin/tsc');
