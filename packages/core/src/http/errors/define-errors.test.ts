import { defineErrors } from './define-errors.js';

describe('defineErrors', () => {
  test('returns frozen error types', () => {
    const { LAMP_NOT_FOUND: type } = defineErrors({ LAMP_NOT_FOUND: [404, 'There is no such lamp.'] });
    expect(type).toEqual({ code: 'LAMP_NOT_FOUND', status: 404, summary: 'There is no such lamp.' });
    expect(Object.isFrozen(type)).toBe(true);
  });

  test.each(['lampBroken', 'LAMP-BROKEN', 'LAMP__BROKEN', '_LAMP', 'LAMP_', '2_LAMPS', '', 'LÄMP', 'LAMP\n'])(
    'refuses %j, which is not UPPER_SNAKE_CASE',
    (code) => {
      expect(() => defineErrors({ [code]: [400, 'x'] })).toThrow('is not UPPER_SNAKE_CASE');
    },
  );
});
