import fc from 'fast-check';

import * as values from './query-values.js';

const readBy =
  <T>(read: values.ValueReader<T>) =>
  (text: string, expected: unknown): void => {
    const value = read(text);
    if (value instanceof values.ValueFault) expect(value.code).toBe(expected);
    else expect(value).toBe(expected);
  };

describe('text', () => {
  test.each<[string, string]>([
    ['', ''],
    ['desk lamp', 'desk lamp'],
    [' x ', ' x '],
    ['%_', '%_'],
    ['😀😀😀😀😀😀😀😀😀', '😀😀😀😀😀😀😀😀😀'],
    ['x'.repeat(10), 'TOO_LONG'],
    ['a\u0000', 'BAD_CHARACTER'],
    ['\ud800', 'BAD_CHARACTER'],
  ])('%j: %s', readBy(values.text(9)));
});

describe('flag', () => {
  test.each<[string, boolean | string]>([
    ['true', true],
    ['false', false],
    ['yes', 'WRONG_TYPE'],
    ['no', 'WRONG_TYPE'],
    ['1', 'WRONG_TYPE'],
    ['0', 'WRONG_TYPE'],
    ['', 'WRONG_TYPE'],
    ['TRUE', 'WRONG_TYPE'],
    ['true ', 'WRONG_TYPE'],
    ['null', 'WRONG_TYPE'],
  ])('%j: %s', readBy(values.flag));
});

describe('integer', () => {
  test.each<[string, number | string]>([
    ['1', 1],
    ['5', 5],
    ['03', 3],
    ['0', 'TOO_SMALL'],
    ['-1', 'TOO_SMALL'],
    ['-99999999999999999999', 'TOO_SMALL'],
    ['6', 'TOO_LARGE'],
    ['9'.repeat(400), 'TOO_LARGE'],
    ['1.5', 'WRONG_TYPE'],
    ['1.0', 'WRONG_TYPE'],
    ['1e0', 'WRONG_TYPE'],
    ['0x1', 'WRONG_TYPE'],
    ['+1', 'WRONG_TYPE'],
    ['', 'WRONG_TYPE'],
    [' 1', 'WRONG_TYPE'],
    ['1 ', 'WRONG_TYPE'],
    ['1\n', 'WRONG_TYPE'],
    ['abc', 'WRONG_TYPE'],
    ['NaN', 'WRONG_TYPE'],
    ['Infinity', 'WRONG_TYPE'],
    ['١', 'WRONG_TYPE'],
  ])('%j: %s', readBy(values.integer(1, 5)));
});

describe('id', () => {
  test.each<[string, number | string]>([
    ['1', 1],
    ['2147483647', 2147483647],
    ['2147483648', 0],
    ['9'.repeat(30), 0],
    ['0', 0],
    ['-1', 'WRONG_TYPE'],
    ['1.0', 'WRONG_TYPE'],
    ['', 'WRONG_TYPE'],
    ['x', 'WRONG_TYPE'],
  ])('%j: %s', readBy(values.id));
});

describe('amount', () => {
  test.each<[string, string]>([
    ['0', '0'],
    ['10', '10'],
    ['10.5', '10.5'],
    ['10.505', '10.505'],
    ['0.1000000000000000000001', '0.1000000000000000000001'],
    ['99999999999999999999', '99999999999999999999'],
    ['007', '007'],
    ['-0', '-0'],
    ['-0.00', '-0.00'],
    ['-1', 'TOO_SMALL'],
    ['-0.01', 'TOO_SMALL'],
    ['abc', 'WRONG_TYPE'],
    ['', 'WRONG_TYPE'],
    ['.5', 'WRONG_TYPE'],
    ['5.', 'WRONG_TYPE'],
    ['1e3', 'WRONG_TYPE'],
    ['1e400', 'WRONG_TYPE'],
    ['0x10', 'WRONG_TYPE'],
    ['1,5', 'WRONG_TYPE'],
    ['+1', 'WRONG_TYPE'],
    [' 1', 'WRONG_TYPE'],
    ['NaN', 'WRONG_TYPE'],
    ['Infinity', 'WRONG_TYPE'],
    ['-Infinity', 'WRONG_TYPE'],
    ['1'.repeat(31), 'WRONG_TYPE'],
  ])('%j: %s', readBy(values.amount));
});

describe('choice', () => {
  test.each<[string, string]>([
    ['paid', 'paid'],
    ['shipped', 'shipped'],
    ['lost', 'NOT_ALLOWED'],
    ['Paid', 'NOT_ALLOWED'],
    ['', 'NOT_ALLOWED'],
    ['constructor', 'NOT_ALLOWED'],
    ['paid,shipped', 'NOT_ALLOWED'],
  ])('%j: %s', readBy(values.choice(['paid', 'shipped'])));
});

test('faults say what is taken', () => {
  const takes = (value: unknown): string => (value as values.ValueFault).takes;
  expect(takes(values.text(9)('x'.repeat(10)))).toBe('at most 9 characters');
  expect(takes(values.flag('yes'))).toBe('true or false');
  expect(takes(values.integer(1, 5)('0'))).toBe('at least 1');
  expect(takes(values.integer(1, 5)('6'))).toBe('at most 5');
  expect(takes(values.amount('-1'))).toBe('at least 0');
  expect(takes(values.choice(['a', 'b'])('c'))).toBe('one of a, b');
});

test('no text makes a reader throw, and none gives what PostgreSQL refuses', () => {
  const readers = [values.text(9), values.flag, values.integer(1, 5), values.id, values.amount];
  const noise = fc.string({ unit: fc.constantFrom('0', '1', '9', '-', '.', 'e', ' ', '\u0000', '\ud800') });
  fc.assert(
    fc.property(fc.oneof(noise, fc.string({ unit: 'binary' })), fc.constantFrom(...readers), (text, read) => {
      const value: unknown = read(text);
      if (typeof value === 'number') expect(Number.isSafeInteger(value)).toBe(true);
      if (typeof value === 'string') expect(value).toMatch(/^[^\0]*$/);
      if (typeof value === 'string') expect(value.isWellFormed()).toBe(true);
    }),
  );
});
