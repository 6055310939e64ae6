import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { format, type OxfmtConfig } from 'oxfmt';

/** A file to be written to the project. */
export interface ProjectFile {
  /** Relative to the root of the project. */
  readonly path: string;
  readonly text: string;
}

/** The style of projects without an `.oxfmtrc.json`. */
const STYLE: OxfmtConfig = { singleQuote: true, printWidth: 110 };

/**
 * Formats files with oxfmt, by the project's `.oxfmtrc.json` if it has one.
 *
 * @param root of the project
 * @throws Error if a file is not valid TypeScript
 */
export function formatted(root: string, files: readonly ProjectFile[]): Promise<ProjectFile[]> {
  const own = join(root, '.oxfmtrc.json');
  const options = existsSync(own) ? (JSON.parse(readFileSync(own, 'utf8')) as OxfmtConfig) : STYLE;
  return Promise.all(
    files.map(async ({ path, text }) => {
      if (!/\.(?:ts|cjs)$/.test(path)) return { path, text };
      const { code, errors } = await format(path, text, options);
      if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
      return { path, text: code };
    }),
  );
}

/** Writes files. Creates missing folders. */
export function writeFiles(root: string, files: readonly ProjectFile[]): void {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
