import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SourceFile {
  /** Relative to its folder. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** Returns the files below some folders whose names match a pattern. */
export const sourceFiles = (folders: readonly string[], pattern: RegExp): SourceFile[] =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => pattern.test(name))
      .map((name) => ({ name, path: join(folder, name), text: readFileSync(join(folder, name), 'utf8') })),
  );
