import { findCodec, ID_CODEC, NUMBER_CODEC } from './codec.js';

test('reads a bigint that the database generates as a number, and any other bigint as text', () => {
  const column = { type: 'bigint', isArray: false };
  expect(findCodec({ ...column, isGenerated: true })).toBe(ID_CODEC);
  expect(findCodec({ ...column, transformer: NUMBER_CODEC })).toBe(NUMBER_CODEC);
  expect(findCodec(column)?.select('"steps"')).toBe('"steps"::text');
});
