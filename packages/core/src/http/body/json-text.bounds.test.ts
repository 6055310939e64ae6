import fc from 'fast-check';

import { MAX_JSON_VALUES, findLimitViolation } from './json-text.js';

/** The number of values in a parsed document, counted recursively. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, child) => sum + countValues(child), 1);
}

const list = (length: number, item = '1'): string => `[${Array(length).fill(item).join(',')}]`;
const record = (length: number): string => `{${Array.from({ length }, (_, i) => `"k${i}":0`).join(', ')}}`;

describe('the limit of 20,000 values in a body, which includes the body itself', () => {
  test.each<[string, string]>([
    ['items', list(MAX_JSON_VALUES - 1)],
    ['members', record(MAX_JSON_VALUES - 1)],
    ['empty objects', list(MAX_JSON_VALUES - 1, '{}')],
    ['empty arrays with blanks', list(MAX_JSON_VALUES - 1, '[ \n ]')],
    ['objects of one member', list((MAX_JSON_VALUES - 2) / 2, '{"a":1}')],
    ['commas, brackets and quotes in a string', JSON.stringify([',[{"\\'.repeat(100_000)])],
  ])('accepts %s within the limit', (_name, text) => {
    expect(countValues(JSON.parse(text))).toBeLessThanOrEqual(MAX_JSON_VALUES);
    expect(findLimitViolation(text)).toBeUndefined();
  });

  test.each<[string, string]>([
    ['items', list(MAX_JSON_VALUES)],
    ['members', record(MAX_JSON_VALUES)],
    ['empty objects', list(MAX_JSON_VALUES, '{}')],
    ['empty arrays', list(MAX_JSON_VALUES, '[ ]')],
    ['members with the same name', `{${Array(MAX_JSON_VALUES).fill('"a":1').join(',')}}`],
    ['objects of one member', list(MAX_JSON_VALUES / 2, '{"a":1}')],
    ['two lists with half of the values each', `{"a":${list(10_000)},"b":${list(10_000)}}`],
    ['120,000 members that never end', record(120_000).slice(0, -1)],
  ])('refuses %s beyond the limit', (_name, text) => {
    expect(findLimitViolation(text)).toBe('must have at most 20000 values');
  });

  test('counts the values that a recursive count finds', () => {
    const nested = fc.jsonValue({ maxDepth: 6 });
    fc.assert(
      fc.property(nested, fc.integer({ min: -1, max: 1 }), fc.nat(2), (value, excess, space) => {
        const filler = MAX_JSON_VALUES + excess - countValues(value) - 2;
        const text = `[${JSON.stringify(value, null, space)},${list(filler)}]`;
        expect(findLimitViolation(text) === undefined).toBe(excess <= 0);
      }),
      { numRuns: 30 },
    );
  });
});
