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

const SOURCES = codeOf('src');

/** `npx jest test/architecture/measures --verbose` prints them. */
describe('measures of the code', () => {
  it.each([
    ['a plain resource of two fields', count(codeOf('test/examples/suppliers')), 150],
    ['products, in two versions', count(codeOf('src/products')), 360],
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
});
