import { rowsOf, testsNamedBy, titlesLike } from '../support/named-tests.js';

const rows = rowsOf('docs/decisions/faults-of-the-first-build.md').filter(([number = '']) =>
  /\d/.test(number),
);
const numbers = rows.map(([number = '']) => number);
const upTo = (letter: string, last: number): string[] =>
  Array.from({ length: last }, (_, i) => `${letter}${i + 1}`);

/** The number of a fault leads to its tests, and a test to what was wrong. */
describe('docs/decisions/faults-of-the-first-build.md', () => {
  it('has every number once', () => {
    const expected = [...upTo('F', 14), ...upTo('S', 27), ...upTo('N', 4), 'E3', 'E7', 'E8', 'E10'];
    expect(numbers).toEqual(expected);
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
