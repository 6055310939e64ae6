import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as nest from '@nestjs/common';
import * as typeorm from 'typeorm';

import { createDatabase } from '../support/databases.js';
import { CodeBlock, codeBlocks, pages } from '../support/code-blocks.js';

/** Folders whose TypeScript is compiled and linted. */
const COMPILED = /^(src|seed|test|packages|bench|client)\/.+\.ts$/;

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/**
 * Returns the first line in which an excerpt departs from its file, or `undefined`. The lines of an excerpt
 * must appear in the file in order and without gaps, except where a line `// …` stands for omitted ones.
 */
function departure(excerpt: string, file: string): string | undefined {
  const source = linesOf(file);
  const parts = linesOf(excerpt)
    .join('\n')
    .split(/^\/\/ …$/m)
    .map(linesOf)
    .filter((part) => part.length > 0);
  let from = 0;
  for (const part of parts) {
    const at = source.findIndex(
      (_, index) => index >= from && part.every((line, offset) => source[index + offset] === line),
    );
    if (at < 0) return part.find((line) => !source.includes(line)) ?? part[0];
    from = at + part.length;
  }
  return undefined;
}

const blocks = pages().flatMap(codeBlocks);
const of = (language: string): [string, CodeBlock][] =>
  blocks.filter((block) => block.language === language).map((block) => [block.place, block]);

describe('a code block in the docs', () => {
  it('is in a language that these tests check', () => {
    // test/e2e/readme.test.ts runs the shell of the README. Blocks without a language are drawings and
    // output.
    const languages = new Set(blocks.map(({ language }) => language));
    expect([...languages].sort()).toEqual(expect.arrayContaining(['json', 'sh', 'ts']));
    for (const language of languages) expect(['', 'json', 'sh', 'sql', 'ts']).toContain(language);
  });

  it.each(of('ts'))('is an excerpt of compiled TypeScript: %s', (_place, { file, code }) => {
    expect(file).toMatch(COMPILED);
    expect(existsSync(file!)).toBe(true);
    expect(departure(code, readFileSync(file!, 'utf8'))).toBeUndefined();
  });

  it.each(of('sql'))('runs in PostgreSQL: %s', async (_place, { code }) => {
    const database = await createDatabase();
    try {
      // Drops indexes that the migrations have created, because a block creates them again.
      for (const [, name] of code.matchAll(/create index (\w+)/g)) {
        await database.query(`drop index if exists ${name!}`);
      }
      await database.query(code);
    } finally {
      await database.drop();
    }
  });

  it.each(of('json'))('is valid JSON: %s', (_place, { code }) => {
    expect(() => JSON.parse(code) as unknown).not.toThrow();
  });

  it.each(of('sh').filter(([place]) => !place.startsWith('README.md')))(
    'is valid shell: %s',
    (_place, { code }) => {
      expect(execFileSync('bash', ['-n'], { input: code, stdio: 'pipe' }).toString()).toBe('');
    },
  );
});

/** Code spans in the text of a page: `` `@Public()` ``. */
const GUIDES = 'src/docs/guides';
const guides = readdirSync(GUIDES).map((name) => join(GUIDES, name));
const spans = [...pages(), ...guides].flatMap((page) =>
  readFileSync(page, 'utf8')
    .replaceAll(/^ *```.*?^ *```/gms, (block) => block.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .flatMap((line, i) =>
      Array.from(line.matchAll(/`([^`]+)`/g), ([, span = '']) => [`${page}:${i + 1}`, span]),
    ),
) as [place: string, span: string][];

/** The decorators and camel-case functions that a span calls. SQL functions have no camel case. */
const applied = (span: string): string[] =>
  Array.from(span.matchAll(/@([A-Z]\w*)\(|(?<![\w.@])([a-z]+[A-Z]\w*)\(/g), ([, a, b]) => (a ?? b)!);

describe('the text of the docs', () => {
  const code = ['src', 'packages', 'test']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((name) => name.endsWith('.ts') && name !== 'test/architecture/docs-code.test.ts')
    .map((name) => readFileSync(name, 'utf8'))
    .join('\n')
    // Ignores examples in comments, because nothing compiles them.
    .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  /**
   * Names such as `DtoValidationPipe` must be a class, an interface or a type of this repository or of its
   * libraries.
   */
  const names = spans.flatMap(([place, span]) =>
    Array.from(
      span.matchAll(/(?<![\w/.-])(?:[A-Z][a-z\d]+){2,}(?![\w/-])/g),
      ([name]) => [place, name] as const,
    ),
  );
  const words = new Set(code.match(/\w+/g));

  it('names only classes and types that exist', () => {
    expect(names.length).toBeGreaterThan(100);
    const isKnown = (name: string): boolean => words.has(name) || name in nest || name in typeorm;
    expect(names.filter(([, name]) => !isKnown(name))).toEqual([]);
  });

  it('names every folder of the base on the pages that list them', () => {
    const folders = readdirSync('packages/core/src', { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    );
    const missing = ['README.md', 'docs/architecture.md'].flatMap((page) => {
      const text = readFileSync(page, 'utf8');
      return folders.filter(({ name }) => !text.includes(`${name}/`)).map(({ name }) => `${page}: ${name}`);
    });
    expect(missing).toEqual([]);
  });

  const uses = spans.flatMap(([place, span]) => applied(span).map((name) => [place, name, span] as const));

  it.each([...new Set(uses.map(([, name]) => name))].map((name) => [name]))(
    'names only functions and decorators that exist: %s',
    (name) => {
      const places = uses.filter(([, other]) => other === name).map(([place]) => place);
      const isThere = new RegExp(`\\b${name}(<[^()]*>)?\\(`).test(code) || name in nest || name in typeorm;
      expect([places, isThere]).toEqual([places, true]);
    },
  );
});
