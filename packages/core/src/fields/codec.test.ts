import { findCodec, ID_CODEC, NUMBER_CODEC } from './codec.js';

test('a bigint is a number if the database counts it up; any other may have more digits, and stays text', () => {
  const column = { type: 'bigint', isArray: false };
  expect(findCodec({ ...column, isGenerated: true })).toBe(ID_CODEC);
  expect(findCodec({ ...column, transformer: NUMBER_CODEC })).toBe(NUMBER_CODEC);
  expect(findCodec(column)?.select('"steps"')).toBe('"steps"::text');
});
