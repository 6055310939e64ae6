import { findCodec, NUMBER_CODEC } from './codec.js';

test('a bigint is a number where the database counts it up; else it may have more digits, and stays text', () => {
  const column = { type: 'bigint', isArray: false };
  expect(findCodec({ ...column, isGenerated: true })).toBe(NUMBER_CODEC);
  expect(findCodec({ ...column, transformer: NUMBER_CODEC })).toBe(NUMBER_CODEC);
  expect(findCodec(column)).toBeUndefined();
});
