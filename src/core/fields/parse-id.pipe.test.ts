import fc from 'fast-check';

import { ApiError } from '../http/errors/api-error.js';
import { NO_SUCH_ID, readId } from './parse-id.pipe.js';

const errorOf = (text: string): ApiError => {
  try {
    readId(text, 'reviewId');
  } catch (error) {
    return error as ApiError;
  }
  throw new Error(`${text} was taken`);
};

describe('readId', () => {
  test.each([
    ['1', 1],
    ['42', 42],
    ['2147483647', 2147483647],
    ['01', 1],
    ['000042', 42],
  ])('takes %s as %i', (text, id) => {
    expect(readId(text, 'id')).toBe(id);
  });

  test.each(['0', '-1', '2147483648', '9'.repeat(30), `-${'9'.repeat(400)}`])(
    'takes %s for an integer that nothing has',
    (text) => {
      expect(readId(text, 'id')).toBe(NO_SUCH_ID);
    },
  );

  test.each([
    '',
    ' 1',
    '1\n',
    '1.0',
    '1e3',
    '0x1f',
    '1n',
    '+1',
    '-',
    '1_000',
    'NaN',
    'Infinity',
    '[1]',
    '1\u0000',
    '١',
    "1' or '1'='1",
  ])('refuses %j', (text) => {
    const message = `got ${JSON.stringify(text)}, takes a positive integer`;
    expect(errorOf(text).toBody()).toEqual({
      error: {
        code: 'INVALID_ID',
        message: `reviewId: ${message}`,
        status: 400,
        details: [{ field: 'reviewId', code: 'WRONG_TYPE', message }],
      },
    });
  });

  test('does not give long text back', () => {
    expect(errorOf('x'.repeat(99)).message).toBe(
      `reviewId: got "${'x'.repeat(40)}…", takes a positive integer`,
    );
  });

  test('gives an id that PostgreSQL takes, or refuses', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.bigInt().map(String), fc.double().map(String)), (text) => {
        try {
          const id = readId(text, 'id');
          expect(Number.isInteger(id) && id >= 0 && id <= 2_147_483_647).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
    );
  });
});
