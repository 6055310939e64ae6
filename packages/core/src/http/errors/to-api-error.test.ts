import { GoneException, HttpException, NotFoundException } from '@nestjs/common';

import { toApiError } from './to-api-error.js';

const LEAK = 'select password from users at /srv/app.js:1';

const withFields = (fields: object): Error => Object.assign(new Error(LEAK), fields);

function answerTo(error: unknown): { status: number; code: string; retryAfter: string | undefined } {
  const apiError = toApiError(error);
  expect(JSON.stringify(apiError.toBody())).not.toContain('select');
  return { status: apiError.status, code: apiError.type.code, retryAfter: apiError.headers?.['retry-after'] };
}

test('answers an unknown code of Fastify or a plugin by its status', () => {
  expect(answerTo(withFields({ code: 'FST_ERR_NEW', statusCode: 413 })).code).toBe('PAYLOAD_TOO_LARGE');
  expect(answerTo(withFields({ code: 'FST_ERR_NEW', statusCode: 500 })).code).toBe('INTERNAL_ERROR');
});

describe('an error with a status and no code', () => {
  test.each([
    [404, 'NOT_FOUND'],
    [413, 'PAYLOAD_TOO_LARGE'],
    [429, 'RATE_LIMIT_EXCEEDED'],
    [503, 'SERVICE_UNAVAILABLE'],
  ])('keeps the status %i as %s', (status, code) => {
    expect(answerTo(withFields({ statusCode: status }))).toMatchObject({ status, code });
    expect(answerTo({ statusCode: status })).toMatchObject({ status, code });
  });

  test('has Retry-After for 503 only', () => {
    expect(answerTo(withFields({ statusCode: 503 })).retryAfter).toBe('5');
    expect(answerTo(withFields({ statusCode: 413 })).retryAfter).toBeUndefined();
  });
});

describe('HttpException', () => {
  const given = (error: HttpException): unknown => toApiError(error).toBody().error;

  test.each<[string, HttpException, number, string, string]>([
    ['an exception without a message', new NotFoundException(), 404, 'NOT_FOUND', 'Not Found.'],
    [
      'an exception with an object',
      new HttpException({ message: 'Pay.' }, 402),
      402,
      'PAYMENT_REQUIRED',
      'Pay.',
    ],
    [
      'an exception with an object that has no message',
      new HttpException({ price: 3 }, 402),
      402,
      'PAYMENT_REQUIRED',
      '',
    ],
    ['an exception with a status that has no name', new HttpException('Odd.', 499), 499, 'HTTP_499', 'Odd.'],
  ])('keeps its status and message: %s', (_name, error, status, code, message) => {
    expect(given(error)).toMatchObject({ status, code, ...(message && { message }) });
  });

  test('has a message of at most 2,000 characters', () => {
    expect((given(new GoneException('x'.repeat(5_000))) as { message: string }).message).toHaveLength(2_001);
  });
});

test.each<[string, unknown]>([
  ['a plain error', new Error(LEAK)],
  ['an error with the code of a database error', withFields({ code: '42P01' })],
  ['an error with a status that is a string', withFields({ statusCode: '413' })],
  ['an error with a status of success', withFields({ statusCode: 200 })],
  ['an error with the status 500', withFields({ statusCode: 500 })],
  ['an HttpException with the status 500', new HttpException(LEAK, 500)],
  ['null', null],
  ['an object whose code is the name of an inherited property', { code: 'constructor', statusCode: NaN }],
])('answers an unknown error with 500 and without its message: %s', (_name, error) => {
  const apiError = toApiError(error);
  expect(apiError.toBody()).toEqual({
    error: {
      code: 'INTERNAL_ERROR',
      message: 'The server failed to process the request. The error has been logged.',
      status: 500,
    },
  });
  expect(apiError.cause).toBe(error);
});
