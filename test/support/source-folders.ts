import { join } from 'node:path';

/** The sources that a running service is made of: of the application, and of its base. */
export const SOURCE_FOLDERS = ['src', 'packages/core/src'].map((path) => join(process.cwd(), path));
