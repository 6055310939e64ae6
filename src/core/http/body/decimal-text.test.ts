import fc from 'fast-check';

import { compareDecimals, decimalsOf } from './decimal-text.js';

test.each([
  ['0', 0],
  ['-0.000', 0],
  ['0e-400', 0],
  ['100', 0],
  ['1.50', 1],
  ['-1.05', 2],
  ['0.001', 3],
  ['15e-5', 5],
  ['1.5E+1', 0],
  ['1.25e1', 1],
  ['100e-2', 0],
  ['1e-400', 400],
  ['19.9900000000000000001', 19],
])('%s has %i decimals', (text, decimals) => {
  expect(decimalsOf(text)).toBe(decimals);
});

test.each([
  ['0', '0.00e5', 0],
  ['1.0', '10e-1', 0],
  ['-2', '2', 0],
  ['0', '1e-400', -1],
  ['0.1', '0.1000000000000000001', -1],
  ['9', '10', -1],
  ['1e400', '9e399', 1],
  ['12.3', '12.29', 1],
])('%s and %s compare as %i', (one, other, order) => {
  expect(Math.sign(compareDecimals(one, other))).toBe(order);
  expect(Math.sign(compareDecimals(other, one))).toBe(order === 0 ? 0 : -order);
});

test('texts of integers compare as integers do', () => {
  const integer = fc.bigInt({ min: 0n, max: 10n ** 40n });
  fc.assert(
    fc.property(integer, integer, fc.nat(5), (one, other, zeros) => {
      const order = one < other ? -1 : one > other ? 1 : 0;
      expect(compareDecimals(`${one}.${'0'.repeat(zeros)}1`, `${other}.${'0'.repeat(zeros)}1`)).toBe(order);
    }),
  );
});
