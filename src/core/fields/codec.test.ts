import { codecOf, isoTime, NUMBER } from './codec.js';

describe('a time as PostgreSQL writes a timestamp', () => {
  test.each<[string, string | null]>([
    ['2026-11-20 15:08:42.372', '2026-11-20T15:08:42.372Z'],
    ['2026-11-20 15:08:42', '2026-11-20T15:08:42.000Z'],
    ['2026-11-20 15:08:42.3', '2026-11-20T15:08:42.300Z'],
    ['2026-11-20 15:08:42.37', '2026-11-20T15:08:42.370Z'],
    ['2026-11-20 15:08:42.372999', '2026-11-20T15:08:42.372Z'],
    ['9999-12-31 23:59:59.999', '9999-12-31T23:59:59.999Z'],
    ['10000-01-01 00:00:00.5', '10000-01-01T00:00:00.500Z'],
    ['0044-03-15 12:00:00 BC', '0044-03-15T12:00:00.000Z'],
    ['infinity', null],
    ['-infinity', null],
  ])('%s is shown as %s', (text, shown) => {
    expect(isoTime(text)).toBe(shown);
  });

  test('another DateStyle is an error that says so', () => {
    for (const text of ['20/11/2026 15:08:42.372', 'Fri Nov 20 15:08:42 2026', '20.11.2026 15:08:42'])
      expect(() => isoTime(text)).toThrow('takes DateStyle ISO');
  });
});

test('a number that PostgreSQL writes with the digits of its scale', () => {
  expect(
    ['49.90', '9999999999.99', '0.10', '-0.01', '9007199254740991'].map((text) => NUMBER.raw?.read(text)),
  ).toEqual([49.9, 9999999999.99, 0.1, -0.01, 9007199254740991]);
});

test('a bigint is a number where the database counts it up; else it may have more digits, and stays text', () => {
  const column = { type: 'bigint', isArray: false };
  expect(codecOf({ ...column, isGenerated: true })).toBe(NUMBER);
  expect(codecOf({ ...column, transformer: NUMBER })).toBe(NUMBER);
  expect(codecOf(column)).toBeUndefined();
});
