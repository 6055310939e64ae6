import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { format, type OxfmtConfig } from 'oxfmt';

/** A file of the project, as it is to be. */
export interface ProjectFile {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
}

/** Files as `npm run format` has them. @param root of the project @throws Error where one is no TypeScript */
export function formatted(root: string, files: readonly ProjectFile[]): Promise<ProjectFile[]> {
  const options = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as OxfmtConfig;
  return Promise.all(
    files.map(async ({ path, text }) => {
      if (!/\.(?:ts|cjs)$/.test(path)) return { path, text };
      const { code, errors } = await format(path, text, options);
      if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
      return { path, text: code };
    }),
  );
}

/** Writes files, into folders that need not be there. */
export function writeFiles(root: string, files: readonly ProjectFile[]): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
