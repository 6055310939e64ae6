import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as nest from '@nestjs/common';
import * as typeorm from 'typeorm';

import { createDatabase } from '../support/databases.js';
import { CodeBlock, codeBlocks, pages } from '../support/code-blocks.js';

/** Folders whose TypeScript the compiler and the linter see. */
const COMPILED = /^(src|seed|test|packages|bench|client)\/.+\.ts$/;

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/**
 * Where an excerpt departs from its file; `undefined`: nowhere. Its lines stand in the file in their order, without
 * gaps but where a line `// …` stands for some.
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

describe('code on the pages', () => {
  it('is of languages that are checked', () => {
    // The README's shell is run by test/e2e/readme.test.ts; blocks without a language are drawings and output.
    const languages = new Set(blocks.map(({ language }) => language));
    expect([...languages].sort()).toEqual(expect.arrayContaining(['json', 'sh', 'ts']));
    for (const language of languages) expect(['', 'json', 'sh', 'sql', 'ts']).toContain(language);
  });

  it.each(of('ts'))('%s is an excerpt of code that is compiled', (_place, { file, code }) => {
    expect(file).toMatch(COMPILED);
    expect(existsSync(file!)).toBe(true);
    expect(departure(code, readFileSync(file!, 'utf8'))).toBeUndefined();
  });

  it.each(of('sql'))('%s is run by PostgreSQL', async (_place, { code }) => {
    const database = await createDatabase();
    try {
      // Indexes that the migrations have made are shown as they are made.
      for (const [, name] of code.matchAll(/create index (\w+)/g)) {
        await database.query(`drop index if exists ${name!}`);
      }
      await database.query(code);
    } finally {
      await database.drop();
    }
  });

  it.each(of('json'))('%s is JSON', (_place, { code }) => {
    expect(() => JSON.parse(code) as unknown).not.toThrow();
  });

  it.each(of('sh').filter(([place]) => !place.startsWith('README.md')))('%s is shell', (_place, { code }) => {
    expect(execFileSync('bash', ['-n'], { input: code, stdio: 'pipe' }).toString()).toBe('');
  });
});

/** Code in the text of a page: `` `@Public()` ``. */
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

/** What a span applies: decorators, and functions of camel case, which those of SQL are not. */
const applied = (span: string): string[] =>
  Array.from(span.matchAll(/@([A-Z]\w*)\(|(?<![\w.@])([a-z]+[A-Z]\w*)\(/g), ([, a, b]) => (a ?? b)!);

describe('code in the text of pages', () => {
  const code = ['src', 'packages', 'test']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((name) => name.endsWith('.ts') && name !== 'test/architecture/docs-code.test.ts')
    .map((name) => readFileSync(name, 'utf8'))
    .join('\n')
    // Comments give examples too, and nothing compiles them.
    .replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
  /** `DtoValidationPipe`: a class, an interface or a type of this repository, or of a library that its code uses. */
  const names = spans.flatMap(([place, span]) =>
    Array.from(
      span.matchAll(/(?<![\w/.-])(?:[A-Z][a-z\d]+){2,}(?![\w/-])/g),
      ([name]) => [place, name] as const,
    ),
  );
  const words = new Set(code.match(/\w+/g));

  it('names no class or type that the code does not have', () => {
    expect(names.length).toBeGreaterThan(100);
    const isKnown = (name: string): boolean => words.has(name) || name in nest || name in typeorm;
    expect(names.filter(([, name]) => !isKnown(name))).toEqual([]);
  });

  it('names every folder of the base where it lists them', () => {
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

  it.each([...new Set(uses.map(([, name]) => name))].map((name) => [name]))('%s is there', (name) => {
    const places = uses.filter(([, other]) => other === name).map(([place]) => place);
    const isThere = new RegExp(`\\b${name}(<[^()]*>)?\\(`).test(code) || name in nest || name in typeorm;
    expect([places, isThere]).toEqual([places, true]);
  });
});
