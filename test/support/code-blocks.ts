import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The pages that are published with the package of the base. */
export const CORE_DOCS = 'packages/core/docs';

/** A fenced block of a Markdown page. */
export interface CodeBlock {
  /** The page and the line of the fence: `packages/core/docs/lists.md:12`. */
  readonly place: string;
  readonly language: string;
  /** The file of which the block is an excerpt, from `file=` after the language. */
  readonly file: string | undefined;
  readonly code: string;
}

/** The pages for readers: the README and everything in docs/ and packages/core/docs/. */
export function pages(): string[] {
  const docs = ['docs', CORE_DOCS].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name))
      .sort(),
  );
  return ['README.md', ...docs];
}

/**
 * The fenced blocks of a page in their order, including those in lists. @throws Error if a fence is not
 * closed
 */
export function codeBlocks(page: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { place: string; info: string; lines: string[] } | undefined;
  for (const [index, line] of readFileSync(page, 'utf8').split('\n').entries()) {
    const fence = /^ *```(.*)$/.exec(line);
    if (!fence) open?.lines.push(line);
    else if (!open) open = { place: `${page}:${index + 1}`, info: fence[1] ?? '', lines: [] };
    else {
      const { place, info, lines } = open;
      const file = /\bfile=(\S+)/.exec(info)?.[1];
      blocks.push({ place, language: info.split(' ')[0] ?? '', file, code: lines.join('\n') });
      open = undefined;
    }
  }
  if (open) throw new Error(`${open.place}: the block is not closed`);
  return blocks;
}
