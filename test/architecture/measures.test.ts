import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = process.cwd();

interface Source {
  readonly path: string;
  readonly lines: readonly string[];
}

/** The code of a folder, without tests and migrations: what is written by hand. */
const codeOf = (folder: string): Source[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.test)\.ts$/.test(path) && !/^\d{13}-/.test(path))
    .map((path) => ({
      path,
      lines: readFileSync(join(ROOT, folder, path), 'utf8')
        .trimEnd()
        .split('\n'),
    }));

const count = (sources: readonly Source[]): number =>
  sources.reduce((sum, { lines }) => sum + lines.length, 0);

/** How often a class of a folder declares a property of this name. */
const declarations = (sources: readonly Source[], name: string): number =>
  sources
    .flatMap(({ lines }) => lines)
    .filter((line) => new RegExp(`^ {2}(?:override )?${name}[?!]?: .*;$`).test(line)).length;

const SOURCES = codeOf('src');
const PRODUCTS = codeOf('src/products');

/** `npx jest test/architecture/measures --verbose` prints them. */
describe('measures of the code', () => {
  it.each([
    ['a plain resource of two fields', count(codeOf('test/examples/suppliers')), 150],
    ['products, in two versions', count(PRODUCTS), 360],
    ['reviews', count(codeOf('src/reviews')), 270],
    ['the longest file of src/', Math.max(...SOURCES.map(({ lines }) => lines.length)), 300],
  ])('%s: %i lines, of at most %i', (_, lines, most) => {
    expect(lines).toBeGreaterThan(0);
    expect(lines).toBeLessThanOrEqual(most);
  });

  it('no comment is wider than 120 columns', () => {
    const wide = SOURCES.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        line.length > 120 && /^\s*(?:\/\/|\/?\*)/.test(line) ? [`${path}:${index + 1}`] : [],
      ),
    );
    expect(wide).toEqual([]);
  });

  it.each(['name', 'price', 'category', 'inStock', 'rating', 'reviewCount', 'description'])(
    'the field %s of products is declared once',
    (field) => {
      expect(declarations(PRODUCTS, field)).toBe(1);
    },
  );

  it('a module is registered in one place of what all modules share', () => {
    const shared = /^(?:[^/]+|(?:config|http|fields|database|access|lists|resources|routes)\/.*)$/;
    const outside = SOURCES.filter(
      ({ path, lines }) => shared.test(path) && lines.some((line) => /from '.*\/reviews\//.test(line)),
    );
    expect(outside.map(({ path }) => path)).toEqual(['app.module.ts']);
  });
});
