import 'reflect-metadata';

import fc from 'fast-check';

import { FieldType } from '../fields/field.js';
import * as kinds from '../fields/fields.js';
import { atMost, equals, Filter, filterParameterFor, ValueFault } from './filters.js';

/** The value that a filter reads from a text, or the code of its fault. */
function read(filter: Filter<never>, kind: FieldType, text: string): unknown {
  const value = filterParameterFor(kind, filter.operator).read(text);
  return value instanceof ValueFault ? value.code : value;
}

const SHORT = kinds.text({ max: 9 });
const STARS = kinds.integer({ min: 1, max: 5 });
const WORDS = kinds.choice(['paid', 'shipped']);
const CELSIUS = kinds.decimal({ scale: 2, min: -5.5 });

test.each<[string, FieldType, string, unknown]>([
  ['text', SHORT, '', ''],
  ['text', SHORT, ' %_ ', ' %_ '],
  ['text', SHORT, '😀😀😀😀😀😀😀😀😀', '😀😀😀😀😀😀😀😀😀'],
  ['text', SHORT, 'x'.repeat(10), 'TOO_LONG'],
  ['text', SHORT, 'a\u0000', 'BAD_CHARACTER'],
  ['text', SHORT, '\ud800', 'BAD_CHARACTER'],
  ['a flag', kinds.flag, 'true', true],
  ['a flag', kinds.flag, 'false', false],
  ...['yes', '1', '0', '', 'TRUE', 'true ', 'null'].map((text): [string, FieldType, string, unknown] => [
    'a flag',
    kinds.flag,
    text,
    'WRONG_TYPE',
  ]),
  ['an integer', STARS, '5', 5],
  ['an integer', STARS, '03', 3],
  ['an integer', STARS, '0', 'TOO_SMALL'],
  ['an integer', STARS, '-99999999999999999999', 'TOO_SMALL'],
  ['an integer', STARS, '9'.repeat(400), 'TOO_LARGE'],
  ...['1.0', '1e0', '0x1', '+1', '', ' 1', '1\n', 'abc', 'Infinity', '١'].map(
    (text): [string, FieldType, string, unknown] => ['an integer', STARS, text, 'WRONG_TYPE'],
  ),
  ['an id', kinds.id, '9007199254740991', 9007199254740991],
  ['an id', kinds.id, '9007199254740992', 0],
  ['an id', kinds.id, '-1', 'WRONG_TYPE'],
  ['an amount', kinds.money, '007', '007'],
  ['an amount', kinds.money, '-0.00', '-0.00'],
  ['an amount', kinds.money, '0.1000000000000000000001', '0.1000000000000000000001'],
  ['an amount', kinds.money, '-0.01', 'TOO_SMALL'],
  ...['', '.5', '5.', '1e3', '0x10', '1,5', '+1', ' 1', 'NaN', '1'.repeat(31)].map(
    (text): [string, FieldType, string, unknown] => ['an amount', kinds.money, text, 'WRONG_TYPE'],
  ),
  ['a negative number', CELSIUS, '-5.5', '-5.5'],
  ['a negative number', CELSIUS, '-5.51', 'TOO_SMALL'],
  ['a word', WORDS, 'paid', 'paid'],
  ['a word', WORDS, 'Paid', 'NOT_ALLOWED'],
  ['a word', WORDS, 'constructor', 'NOT_ALLOWED'],
  ['a word', WORDS, 'paid,shipped', 'NOT_ALLOWED'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00+02:00', '2026-11-20T07:30:00.000Z'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00+16:00', '2026-11-19T17:30:00.000Z'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00+23:59', '2026-11-19T09:31:00.000Z'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00-23:59', '2026-11-21T09:29:00.000Z'],
  ['a time', kinds.timestamp, '2026-11-20t09:30:00z', '2026-11-20T09:30:00.000Z'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00', '2026-11-20T09:30:00.000Z'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00.1Z', '2026-11-20T09:30:00.100Z'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00.123456Z', '2026-11-20T09:30:00.123Z'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00.1239999+01:00', '2026-11-20T08:30:00.123Z'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00.123456789+23:59', '2026-11-19T09:31:00.123Z'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00.1234567890Z', 'WRONG_TYPE'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00.Z', 'WRONG_TYPE'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00+24:00', 'WRONG_TYPE'],
  ['a time', kinds.timestamp, '2026-11-20T09:30:00+02:60', 'WRONG_TYPE'],
  ['a time', kinds.timestamp, '2026-11-20T09:30Z', 'WRONG_TYPE'],
  ['a time', kinds.timestamp, '9999-12-31T23:30:00-01:00', 'WRONG_TYPE'],
  ['a time of hour 24', kinds.timestamp, '2026-01-01T24:00:00Z', 'WRONG_TYPE'],
  ['a time', kinds.timestamp, '2026-02-30T00:00:00Z', 'WRONG_TYPE'],
])('reads a filter on %s (%j), given %j, as %j', (_name, kind, text, expected) => {
  expect(read(equals('it'), kind, text)).toEqual(expected);
});

test('accepts numbers, days and times as bounds, and refuses text', () => {
  expect(read(atMost('it'), kinds.date, '2026-11-20')).toBe('2026-11-20');
  expect(() => filterParameterFor(SHORT, '<=')).toThrow('must compare a number, a day or a time');
});

test('describes the values that a filter accepts', () => {
  const requirementFor = (kind: FieldType, text: string): string =>
    (filterParameterFor(kind).read(text) as ValueFault).requirement;
  expect(requirementFor(SHORT, 'x'.repeat(10))).toBe('must have at most 9 characters');
  expect(requirementFor(kinds.flag, 'yes')).toBe('must be true or false');
  expect(requirementFor(STARS, '6')).toBe('must be at most 5');
  expect(requirementFor(kinds.money, '-1')).toBe('must be at least 0');
  expect(requirementFor(WORDS, 'c')).toBe('must be one of paid, shipped');
});

test('never throws, and returns no value that PostgreSQL refuses, for any text', () => {
  const noise = fc.string({ unit: fc.constantFrom('0', '1', '9', '-', '.', 'e', ' ', '\u0000', '\ud800') });
  const kind = fc.constantFrom<FieldType>(SHORT, kinds.flag, STARS, kinds.id, kinds.money);
  fc.assert(
    fc.property(fc.oneof(noise, fc.string({ unit: 'binary' })), kind, (text, of) => {
      const { read: readText } = filterParameterFor(of);
      const value: unknown = readText(text);
      if (typeof value === 'number') expect(Number.isSafeInteger(value)).toBe(true);
      if (typeof value === 'string') expect(value).toMatch(/^[^\0]*$/);
      if (typeof value === 'string') expect(value.isWellFormed()).toBe(true);
    }),
  );
});
