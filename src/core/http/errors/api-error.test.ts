import { ApiError, ErrorDetail } from './api-error.js';
import { defineError } from './catalogue.js';

const detail: ErrorDetail = { field: 'items.0.quantity', code: 'TOO_SMALL', message: 'got 0, takes 1' };

describe('toBody', () => {
  test.each([[400], [422]])('%i has details, empty ones where there are none', (status) => {
    const type = defineError(status, `WITH_DETAILS_${status}`, 'Wrong.');
    expect(new ApiError(type).toBody()).toEqual({
      error: { code: `WITH_DETAILS_${status}`, message: 'Wrong.', status, details: [] },
    });
    expect(new ApiError(type, 'Very wrong.', { details: [detail] }).toBody()).toEqual({
      error: { code: `WITH_DETAILS_${status}`, message: 'Very wrong.', status, details: [detail] },
    });
  });

  test.each([401, 404, 409, 412, 429, 500, 503])('%i has none, even where some are given', (status) => {
    const type = defineError(status, `WITHOUT_DETAILS_${status}`, 'Wrong.');
    expect(new ApiError(type, undefined, { details: [detail] }).toBody()).toStrictEqual({
      error: { code: `WITHOUT_DETAILS_${status}`, message: 'Wrong.', status },
    });
  });

  test('holds neither cause nor headers nor stack', () => {
    const type = defineError(400, 'WITH_SECRETS', 'Wrong.');
    const error = new ApiError(type, 'Wrong.', {
      cause: new Error('hunter22'),
      headers: { 'x-hunter22': 'hunter22' },
    });
    expect(JSON.stringify(error.toBody())).toBe(
      '{"error":{"code":"WITH_SECRETS","message":"Wrong.","status":400,"details":[]}}',
    );
  });
});

describe('ApiError', () => {
  const type = defineError(418, 'TEAPOT', 'I am a teapot.');

  test('is an Error with the type, its status and summary', () => {
    const error = new ApiError(type);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'ApiError', message: 'I am a teapot.', status: 418, type });
    expect(error.headers).toBeUndefined();
    expect('cause' in error).toBe(false);
  });

  test('keeps message, cause and headers', () => {
    const cause = new Error('kettle');
    const error = new ApiError(type, 'Short and stout.', { cause, headers: { 'retry-after': '1' } });
    expect(error).toMatchObject({ message: 'Short and stout.', cause, headers: { 'retry-after': '1' } });
  });
});
