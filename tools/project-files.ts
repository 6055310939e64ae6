import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Options, Plugin } from 'prettier';
import * as estree from 'prettier/plugins/estree';
import * as typescript from 'prettier/plugins/typescript';
import { format } from 'prettier/standalone';

/** A file of the project, as it is to be. */
export interface ProjectFile {
  /** From the root of the project. */
  readonly path: string;
  readonly text: string;
}

/** Files as the project's Prettier has them. @param root of the project */
export function formatted(root: string, files: readonly ProjectFile[]): Promise<ProjectFile[]> {
  const settings = JSON.parse(readFileSync(join(root, '.prettierrc.json'), 'utf8')) as Options;
  const options = { ...settings, parser: 'typescript', plugins: [typescript, estree as Plugin] };
  return Promise.all(
    files.map(async ({ path, text }) => {
      return { path, text: /\.(?:ts|cjs)$/.test(path) ? await format(text, options) : text };
    }),
  );
}

/** Writes files: all of them, or, where one cannot be written, none. */
export function writeFiles(root: string, files: readonly ProjectFile[]): void {
  const before = files.map(({ path }) => {
    const file = join(root, path);
    return { file, text: existsSync(file) ? readFileSync(file, 'utf8') : undefined };
  });
  try {
    for (const { path, text } of files) {
      const file = join(root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    }
  } catch (error) {
    for (const { file, text } of before) {
      if (text === undefined) rmSync(file, { force: true });
      else writeFileSync(file, text);
    }
    throw error;
  }
}
