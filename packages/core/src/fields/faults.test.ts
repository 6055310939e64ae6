import { ErrorDetail } from '../http/errors/api-error.js';
import { bodyError, FaultCode, FAULT_STATUSES } from './faults.js';

const fault = (code: FaultCode, field = 'name'): ErrorDetail => ({ field, code, message: 'is wrong' });

test.each(Object.entries(FAULT_STATUSES))('answers a fault %s with %i', (code, status) => {
  const { error } = bodyError([fault(code as FaultCode)]).toBody();
  expect(error).toEqual({
    code: status === 400 ? 'VALIDATION_FAILED' : 'UNPROCESSABLE_ENTITY',
    message: 'name: is wrong',
    status,
    details: [{ field: 'name', code, message: 'is wrong' }],
  });
});

test('answers faults of both kinds with 400, and lists those that decide the status first', () => {
  const error = bodyError([fault('BLANK', 'a'), fault('REQUIRED', 'b'), fault('TOO_LONG', 'c')]);
  expect(error.status).toBe(400);
  expect(error.details!.map(({ field }) => field)).toEqual(['b', 'a', 'c']);
  expect(error.message).toBe('b: is wrong; a: is wrong; c: is wrong');
});

test('lists at most a hundred faults, and keeps one that decides the status', () => {
  const faults = [
    ...Array.from({ length: 150 }, (_, i) => fault('BLANK', `f${i}`)),
    fault('REQUIRED', 'last'),
  ];
  const error = bodyError(faults);
  expect(error.status).toBe(400);
  expect(error.details).toHaveLength(100);
  expect(error.details![0]!.field).toBe('last');
});

test('cuts a long message, but keeps all details', () => {
  const message = 'x'.repeat(500);
  const error = bodyError(Array.from({ length: 20 }, (_, i) => ({ ...fault('BLANK', `f${i}`), message })));
  expect(error.message).toMatch(/^f0: x+; f1: x+; .*…$/);
  expect(error.message.length).toBeLessThan(2_100);
  expect(error.details!.every((detail) => detail.message === message)).toBe(true);
});
