import { GoneException, HttpException, NotFoundException } from '@nestjs/common';

import { toApiError } from './to-api-error.js';

const LEAK = 'select password from users at /srv/app.js:1';

const withFields = (fields: object): Error => Object.assign(new Error(LEAK), fields);

function answerTo(error: unknown): { status: number; code: string; retryAfter: string | undefined } {
  const apiError = toApiError(error);
  expect(JSON.stringify(apiError.toBody())).not.toContain('select');
  return { status: apiError.status, code: apiError.type.code, retryAfter: apiError.headers?.['retry-after'] };
}

test('a code of Fastify or a plugin that nobody knows falls back to its status', () => {
  expect(answerTo(withFields({ code: 'FST_ERR_NEW', statusCode: 413 })).code).toBe('PAYLOAD_TOO_LARGE');
  expect(answerTo(withFields({ code: 'FST_ERR_NEW', statusCode: 500 })).code).toBe('INTERNAL_ERROR');
});

describe('plain errors with a status', () => {
  test.each([
    [404, 'NOT_FOUND'],
    [413, 'PAYLOAD_TOO_LARGE'],
    [429, 'RATE_LIMIT_EXCEEDED'],
    [503, 'SERVICE_UNAVAILABLE'],
  ])('%i: %s', (status, code) => {
    expect(answerTo(withFields({ statusCode: status }))).toMatchObject({ status, code });
    expect(answerTo({ statusCode: status })).toMatchObject({ status, code });
  });

  test('503 says when to come back, others do not', () => {
    expect(answerTo(withFields({ statusCode: 503 })).retryAfter).toBe('5');
    expect(answerTo(withFields({ statusCode: 413 })).retryAfter).toBeUndefined();
  });
});

describe('HttpException', () => {
  const given = (error: HttpException): unknown => toApiError(error).toBody().error;

  test.each<[string, HttpException, number, string, string]>([
    ['none', new NotFoundException(), 404, 'NOT_FOUND', 'Not Found.'],
    ['an object', new HttpException({ message: 'Pay.' }, 402), 402, 'PAYMENT_REQUIRED', 'Pay.'],
    ['an object without one', new HttpException({ price: 3 }, 402), 402, 'PAYMENT_REQUIRED', ''],
    ['a status without a name', new HttpException('Odd.', 499), 499, 'HTTP_499', 'Odd.'],
  ])('keeps its status and message: %s', (_name, error, status, code, message) => {
    expect(given(error)).toMatchObject({ status, code, ...(message && { message }) });
  });

  test('is cut where its message is long', () => {
    expect((given(new GoneException('x'.repeat(5_000))) as { message: string }).message).toHaveLength(2_001);
  });
});

test.each<[string, unknown]>([
  ['a plain error', new Error(LEAK)],
  ['an error of a code of others', withFields({ code: '42P01' })],
  ['a status that is a text', withFields({ statusCode: '413' })],
  ['a status of success', withFields({ statusCode: 200 })],
  ['a status of 500', withFields({ statusCode: 500 })],
  ['an HttpException of 500', new HttpException(LEAK, 500)],
  ['null', null],
  ['an object that names what every object has', { code: 'constructor', statusCode: NaN }],
])('what nobody knows is 500 without its message: %s', (_name, error) => {
  const apiError = toApiError(error);
  expect(apiError.toBody()).toEqual({
    error: {
      code: 'INTERNAL_ERROR',
      message: 'The server failed to process the request; the error has been logged.',
      status: 500,
    },
  });
  expect(apiError.cause).toBe(error);
});
