import { join } from 'node:path';

/** The source folders of a running service: those of the application and of its base. */
export const SOURCE_FOLDERS = ['src', 'packages/core/src'].map((path) => join(process.cwd(), path));
