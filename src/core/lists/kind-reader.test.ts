import fc from 'fast-check';

import * as kinds from '../fields/kinds.js';
import * as values from './kind-reader.js';

const readerOf = (kind: values.AnyKind): values.ValueReader<unknown> => values.readingOf(kind).read;

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
  ])('%j: %s', readBy(readerOf(kinds.text({ max: 9 }))));
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
  ])('%j: %s', readBy(readerOf(kinds.flag)));
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
  ])('%j: %s', readBy(readerOf(kinds.integer({ min: 1, max: 5 }))));
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
  ])('%j: %s', readBy(readerOf(kinds.id)));
});

describe('decimal', () => {
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
  ])('%j: %s', readBy(readerOf(kinds.money)));
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
  ])('%j: %s', readBy(readerOf(kinds.choice(['paid', 'shipped']))));
});

describe('decimal of either sign', () => {
  test.each<[string, string]>([
    ['-1', '-1'],
    ['-5.5', '-5.5'],
    ['-5.51', 'TOO_SMALL'],
    ['-6', 'TOO_SMALL'],
    ['7', '7'],
  ])('%j: %s', readBy(readerOf(kinds.decimal({ scale: 2, min: -5.5 }))));

  test('is compared as it is written', () => {
    const ascending = ['-10', '-9.99', '-0.1', '0', '0.09', '0.1', '9.99', '10'];
    for (const [i, one] of ascending.entries())
      for (const [j, other] of ascending.entries())
        expect(Math.sign(values.compareSigned(one, other))).toBe(Math.sign(i - j));
    expect(values.compareSigned('-0.0', '0')).toBe(0);
    expect(values.compareSigned('1.50', '1.5')).toBe(0);
  });
});

describe('instant', () => {
  test.each<[string, string]>([
    ['2026-11-20T09:30:00+02:00', '2026-11-20T07:30:00.000Z'],
    ['9999-12-31T23:30:00-01:00', 'WRONG_TYPE'],
    ['0001-01-01T00:00:00+01:00', 'WRONG_TYPE'],
    ['tomorrow', 'WRONG_TYPE'],
  ])('%j: %s', readBy(readerOf(kinds.timestamp)));
});

describe('values between commas', () => {
  test.each<[string, string[]]>([
    ['a', ['a']],
    ['a,b', ['a', 'b']],
    ['', ['']],
    [',', ['', '']],
    ['a,,b,', ['a', '', 'b', '']],
    ['"a,b",c', ['a,b', 'c']],
    ['"say ""hi""",c', ['say "hi"', 'c']],
    ['""', ['']],
    ['"a', ['"a']],
    ['a"b",c', ['a"b"', 'c']],
    ['"a"b,c', ['"a"b', 'c']],
    [' a , b ', [' a ', ' b ']],
  ])('%j: %j', (text, parts) => {
    expect(values.splitValues(text)).toEqual(parts);
  });

  test('come back as they were quoted', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', ',', '"', ' ', 'é') }), { minLength: 1 });
    fc.assert(
      fc.property(texts, (parts) => {
        const written = parts.map((part) => `"${part.replaceAll('"', '""')}"`).join(',');
        expect(values.splitValues(written)).toEqual(parts);
      }),
    );
  });
});

test('what comes after a prefix is above all texts that begin with it, and not above others', () => {
  const compare = (one: string, other: string): number =>
    Buffer.compare(Buffer.from(one), Buffer.from(other));
  const text = fc.string({ unit: 'grapheme' }).filter((value) => value.isWellFormed());
  const prefixes = fc.oneof(
    fc.string({ minLength: 1, unit: 'binary' }).filter((value) => value.isWellFormed()),
    fc.constantFrom('\ud7ff', 'a\u{10ffff}', '\u{10ffff}', 'z\ud7ff\u{10ffff}'),
  );
  fc.assert(
    fc.property(prefixes, text, (prefix, rest) => {
      const after = values.afterPrefix(prefix);
      expect(after.isWellFormed()).toBe(true);
      expect(compare(prefix + rest, after)).toBeLessThan(0);
      const isWithin = compare(rest, prefix) >= 0 && compare(rest, after) < 0;
      expect(isWithin).toBe(rest.startsWith(prefix));
    }),
  );
});

test('faults say what is taken', () => {
  const takes = (value: unknown): string => (value as values.ValueFault).takes;
  expect(takes(readerOf(kinds.text({ max: 9 }))('x'.repeat(10)))).toBe('at most 9 characters');
  expect(takes(readerOf(kinds.flag)('yes'))).toBe('true or false');
  expect(takes(readerOf(kinds.integer({ min: 1, max: 5 }))('0'))).toBe('at least 1');
  expect(takes(readerOf(kinds.integer({ min: 1, max: 5 }))('6'))).toBe('at most 5');
  expect(takes(readerOf(kinds.money)('-1'))).toBe('at least 0');
  expect(takes(readerOf(kinds.choice(['a', 'b']))('c'))).toBe('one of a, b');
});

test('no text makes a reader throw, and none gives what PostgreSQL refuses', () => {
  const readers = [
    readerOf(kinds.text({ max: 9 })),
    readerOf(kinds.flag),
    readerOf(kinds.integer({ min: 1, max: 5 })),
    readerOf(kinds.id),
    readerOf(kinds.money),
  ];
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
