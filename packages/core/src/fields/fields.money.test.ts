import fc from 'fast-check';

import { readBody } from '../../../../test/support/read-body.js';
import { countDecimals } from '../http/body/json-text.js';
import { ApiError } from '../http/errors/api-error.js';
import { Money } from './fields.js';

const hasCents = (value: number): boolean => countDecimals(String(value)) <= 2;

class Body {
  @Money()
  amount: number;
}

/** Returns the sorted codes of an amount's faults. The array is empty if the amount is accepted unchanged. */
function codesOf(amount: unknown): string[] {
  try {
    expect(readBody({ amount }, Body).amount).toBe(amount);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.details!.map(({ code }) => code).sort();
  }
}

describe('@Money()', () => {
  test.each<[string, unknown]>([
    ['zero', 0],
    ['a cent', 0.01],
    ['the maximum', 9_999_999_999.99],
    ['a whole number as JSON may write it', JSON.parse('1e3')],
    ['trailing zeros', JSON.parse('19.9900')],
    ['a number that a double cannot represent exactly', 1.15],
  ])('accepts %s', (_name, amount) => {
    expect(codesOf(amount)).toEqual([]);
  });
  test.each<[string, unknown, ...string[]]>([
    ['one more than the maximum', 10_000_000_000, 'TOO_LARGE'],
    ['three decimals', 19.999, 'TOO_PRECISE'],
    ['the smallest positive double', Number.MIN_VALUE, 'TOO_PRECISE'],
    ['0.1 + 0.2', 0.1 + 0.2, 'TOO_PRECISE'],
    ['1e400', JSON.parse('1e400'), 'TOO_LARGE'],
    ['-1e400', JSON.parse('-1e400'), 'TOO_SMALL'],
    ['a cent below zero', -0.01, 'TOO_SMALL'],
    ['three decimals below zero', -0.001, 'TOO_PRECISE', 'TOO_SMALL'],
    ['a string', '12', 'WRONG_TYPE'],
  ])('refuses %s', (_name, amount, ...codes) => {
    expect(codesOf(amount)).toEqual(codes);
  });
});

describe('an amount in cents', () => {
  const cents = fc.integer({ min: 0, max: 999_999_999_999 });

  test('never has a third decimal', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9_999_999_999_99 }),
        fc.integer({ min: 1, max: 9 }),
        (n, third) => {
          expect(hasCents(Number(`${Math.floor(n / 100)}.${String(n % 100).padStart(2, '0')}${third}`))).toBe(
            false,
          );
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('passes through JSON, the field and the text for numeric(12,2) unchanged', () => {
    fc.assert(
      fc.property(cents, (n) => {
        const text = `${Math.floor(n / 100)}.${String(n % 100).padStart(2, '0')}`;
        const amount = JSON.parse(text) as number;
        expect(codesOf(amount)).toEqual([]);
        expect(amount.toFixed(2)).toBe(text);
        expect(Number(text)).toBe(JSON.parse(JSON.stringify(amount)));
        // The driver sends the same decimal to PostgreSQL, without trailing zeros.
        expect(String(amount)).toBe(text.replace(/\.?0+$/, ''));
      }),
      { numRuns: 1000 },
    );
  });
});
