import { ApiError, ErrorDetail } from './api-error.js';
import { ErrorType } from './catalogue.js';

const typeOf = (status: number): ErrorType => ({ status, code: `CODE_${status}`, summary: 'Wrong.' });
const detail: ErrorDetail = { field: 'items.0.quantity', code: 'TOO_SMALL', message: 'got 0, takes 1' };

describe('toBody', () => {
  test.each([[400], [422]])('%i has details, empty ones where there are none', (status) => {
    const type = typeOf(status);
    expect(new ApiError(type).toBody()).toEqual({
      error: { code: `CODE_${status}`, message: 'Wrong.', status, details: [] },
    });
    expect(new ApiError(type, 'Very wrong.', { details: [detail] }).toBody()).toEqual({
      error: { code: `CODE_${status}`, message: 'Very wrong.', status, details: [detail] },
    });
  });

  test.each([401, 404, 409, 412, 429, 500, 503])('%i has none, even where some are given', (status) => {
    const type = typeOf(status);
    expect(new ApiError(type, undefined, { details: [detail] }).toBody()).toStrictEqual({
      error: { code: `CODE_${status}`, message: 'Wrong.', status },
    });
  });

  test('holds neither cause nor headers nor stack', () => {
    const type = typeOf(400);
    const error = new ApiError(type, 'Wrong.', {
      cause: new Error('hunter22'),
      headers: { 'x-hunter22': 'hunter22' },
    });
    expect(JSON.stringify(error.toBody())).toBe(
      '{"error":{"code":"CODE_400","message":"Wrong.","status":400,"details":[]}}',
    );
  });
});
