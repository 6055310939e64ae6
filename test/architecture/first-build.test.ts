import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { rowsOf, testsNamedBy, titlesLike } from '../support/named-tests.js';

const rows = rowsOf('docs/decisions/faults-of-the-first-build.md').filter(([number = '']) =>
  /\d/.test(number),
);
const numbers = rows.map(([number = '']) => number);
const upTo = (letter: string, last: number): string[] =>
  Array.from({ length: last }, (_, i) => `${letter}${i + 1}`);

/** The numbers in the titles of all tests, but for those that are built from values. */
function numbersInTitles(): string[] {
  const files = ['src', 'test', 'packages', 'tools'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );
  const title = /^\s*(?:\]\)|(?:describe|it|test)[\w.]*)\(\s*['"`](.*)/;
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  return lines.flatMap((line) => title.exec(line)?.[1]?.match(/\b[FSNE]\d{1,2}\b/g) ?? []);
}

/** The number of a fault leads to its tests, and a test to what was wrong. */
describe('docs/decisions/faults-of-the-first-build.md', () => {
  it('has every number once', () => {
    const expected = [...upTo('F', 14), ...upTo('S', 27), ...upTo('N', 4), 'E3', 'E7', 'E8', 'E10'];
    expect(numbers).toEqual(expected);
  });

  it('has every number that a test has in its title', () => {
    const found = numbersInTitles();
    expect(found.length).toBeGreaterThan(numbers.length);
    expect(found.filter((number) => !numbers.includes(number))).toEqual([]);
  });

  it.each(numbers)('%s has a test with the number in its title', (number) => {
    const tests = testsNamedBy(rows).filter(({ row }) => row === number);
    expect(tests).not.toEqual([]);
    for (const { file, title } of tests) {
      expect(title).toMatch(new RegExp(`\\b${number}\\b`));
      expect([file, title, titlesLike(file, title).length]).not.toEqual([file, title, 0]);
    }
  });
});
