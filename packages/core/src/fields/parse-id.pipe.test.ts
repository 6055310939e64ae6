import fc from 'fast-check';

import { ApiError } from '../http/errors/api-error.js';
import { NO_SUCH_ID, ParseIdPipe, parseId } from './parse-id.pipe.js';
import { DtoValidationPipe } from './validation.pipe.js';

const errorOf = (text: string): ApiError => {
  try {
    parseId(text, 'reviewId');
  } catch (error) {
    return error as ApiError;
  }
  throw new Error(`${text} was accepted`);
};

describe('parseId()', () => {
  test.each([
    ['1', 1],
    ['42', 42],
    ['9007199254740991', 9007199254740991],
    ['01', 1],
    ['000042', 42],
  ])('reads %s as %i', (text, id) => {
    expect(parseId(text, 'id')).toBe(id);
  });

  test.each(['0', '-1', '9007199254740992', '9'.repeat(30), `-${'9'.repeat(400)}`])(
    'reads %s as an id that no row has',
    (text) => {
      expect(parseId(text, 'id')).toBe(NO_SUCH_ID);
    },
  );

  test.each(['', ' 1', '1\n', '1.0', '1e3', '0x1f', '+1', 'NaN', '1\u0000', '١', "1' or '1'='1"])(
    'refuses %j',
    (text) => {
      const message = `must be a positive integer (got ${JSON.stringify(text)})`;
      expect(errorOf(text).toBody()).toEqual({
        error: {
          code: 'INVALID_ID',
          message: `reviewId: ${message}`,
          status: 400,
          details: [{ field: 'reviewId', code: 'WRONG_TYPE', message }],
        },
      });
    },
  );

  test('does not repeat long text in the message', () => {
    expect(errorOf('x'.repeat(99)).message).toBe(
      `reviewId: must be a positive integer (got "${'x'.repeat(40)}…")`,
    );
  });

  test('returns an id in the range of PostgreSQL, or refuses, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.bigInt().map(String), fc.double().map(String)), (text) => {
        try {
          const id = parseId(text, 'id');
          expect(Number.isInteger(id) && id >= 0 && id <= Number.MAX_SAFE_INTEGER).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
    );
  });
});

describe('an id that DtoValidationPipe has read as a number', () => {
  const read = async (text: string): Promise<number> => {
    const metadata = { type: 'param', metatype: Number, data: 'id' } as const;
    const value = (await new DtoValidationPipe().transform(text, metadata)) as number;
    return new ParseIdPipe().transform(value, metadata);
  };

  test.each(['42', '042'])('is the number that its digits spell: %s', async (text) => {
    expect(await read(text)).toBe(42);
  });

  // Grants are looked up by the digits in the path. Any other notation of 42 would bypass a denial of 42.
  test.each(['42.0', '42.00000000000000000001', '4.2e1', '420e-1', '0x2a', '+42', ' 42'])(
    'is refused in any notation but digits: %s',
    async (text) => {
      await expect(read(text)).rejects.toThrow('must be a positive integer');
    },
  );

  test('is refused with the same message as by the access check', async () => {
    const metadata = { type: 'param', metatype: Number, data: 'reviewId' } as const;
    await expect(new DtoValidationPipe().transform('abc', metadata)).rejects.toThrow(errorOf('abc').message);
  });

  test('names no row if it is too large', async () => {
    expect(await read('9'.repeat(30))).toBe(NO_SUCH_ID);
  });
});
