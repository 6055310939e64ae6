import { codecOf, NUMBER } from './codec.js';

test('a bigint is a number where the database counts it up; else it may have more digits, and stays text', () => {
  const column = { type: 'bigint', isArray: false };
  expect(codecOf({ ...column, isGenerated: true })).toBe(NUMBER);
  expect(codecOf({ ...column, transformer: NUMBER })).toBe(NUMBER);
  expect(codecOf(column)).toBeUndefined();
});
