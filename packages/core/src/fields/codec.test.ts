import { findCodec, NUMBER_CODEC } from './codec.js';

test('reads a bigint as a number if the database generates it, otherwise as text because it may have more digits', () => {
  const column = { type: 'bigint', isArray: false };
  expect(findCodec({ ...column, isGenerated: true })).toBe(NUMBER_CODEC);
  expect(findCodec({ ...column, transformer: NUMBER_CODEC })).toBe(NUMBER_CODEC);
  expect(findCodec(column)).toBeUndefined();
});
