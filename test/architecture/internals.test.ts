import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The parts of a section, in their order. */
const PARTS = ['Relies on', 'Where', 'Why', 'Test', 'Instead'];

/** Patterns of code that relies on undocumented behaviour. The page needs at least one section for each pattern. */
const SIGNS: readonly (readonly [string, RegExp])[] = [
  ['a module inside of @nestjs', /from '@nestjs\/\w+\/[^']+'/],
  ['a module inside of a package', /from '(?!\.)(?:@[^/']+\/)?[^/']+\/(?:dist|lib|cjs|esm5|src|build)\//],
  ['a metadata key of NestJS, Swagger or TypeScript', /\bDECORATORS\b|THROTTLER:|'design:/],
  ['the registry of a library', /getMetadata(?:Args)?Storage\(\)|\/storage\.js'/],
  ['a method of a prototype on another object', /\.prototype\.\w+\.call\(/],
  ['a cast that overrides the types of a library', /as unknown as\b|as Driver &/],
  ["NestJS's container of modules", /\bModulesContainer\b/],
  ['an adapter of NestJS', /extends FastifyAdapter\b/],
  ['the logger of NestJS', /\bprintMessages\(/],
  ['the query runner of TypeORM', /Partial<QueryRunner>/],
  ['the schema builder of TypeORM', /\bcreateSchemaBuilder\(/],
  ['the state of a connection of pg', /\bgetTransactionStatus\(/],
  ['a connection of node:cluster', /\bchild\.send = /],
  ['a response of node:http', /\bshouldKeepAlive\b|\b(?:assign|detach)Socket\(/],
  ['the runtime of Jest', /require\('jest-runtime'\)|require\('@jest\//],
];

const sections = readFileSync('docs/internals.md', 'utf8')
  .split(/^### /m)
  .slice(1)
  .map((text): [string, Map<string, string>] => {
    const [title = '', ...lines] = text.split(/^## /m, 1)[0]!.split('\n');
    // A bullet of several lines is one text.
    const bullets = lines
      .join('\n')
      .replaceAll(/\n {2,}/g, ' ')
      .matchAll(/^- \*\*(.+?):\*\* (.+)$/gm);
    return [title, new Map([...bullets].map(([, part, value]) => [part!, value!]))];
  });

const filesIn = (text = ''): string[] =>
  [...text.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].map(([, file]) => file!);

const sources = execFileSync('git', ['ls-files', 'src', 'scripts', 'packages/core/src', 'packages/dev/src'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(?:ts|mjs)$/.test(file) && !/\.test\.ts$|\/generated\//.test(file) && existsSync(file))
  .map((file) => [file, readFileSync(file, 'utf8')] as const);

describe('docs/internals.md', () => {
  it.each(sections)('has all parts of the section: %s', (_title, parts) => {
    expect([...parts.keys()]).toEqual(PARTS);
  });

  it.each(sections)('names files that exist in the section: %s', (_title, parts) => {
    const where = filesIn(parts.get('Where'));
    const tests = filesIn(parts.get('Test'));
    expect(where.length).toBeGreaterThan(0);
    expect(tests.length).toBeGreaterThan(0);
    expect([...where, ...tests].filter((file) => !existsSync(file))).toEqual([]);
    expect(tests.filter((file) => !file.endsWith('.test.ts'))).toEqual([]);
  });

  it.each(sections)('names tests that exist in the section: %s', (_title, parts) => {
    const titles = [...(parts.get('Test') ?? '').matchAll(/`([^`]+)` "([^"]+)"/g)];
    const missing = titles.filter(([, file, title]) => !readFileSync(file!, 'utf8').includes(title!));
    expect(missing.map(([, file, title]) => `${file}: ${title}`)).toEqual([]);
  });

  it.each(SIGNS)('has every file that uses %s', (_what, sign) => {
    const listed = new Set(sections.flatMap(([, parts]) => filesIn(parts.get('Where'))));
    const using = sources.filter(([, text]) => sign.test(text)).map(([file]) => file);
    expect(using).not.toEqual([]);
    expect(using.filter((file) => !listed.has(file))).toEqual([]);
  });
});
