import { defineErrors, errorCatalogue } from './catalogue.js';
import './http.errors.js';

describe('defineErrors', () => {
  test('gives a frozen type and enters it in the catalogue', () => {
    const { LAMP_NOT_FOUND: type } = defineErrors({ LAMP_NOT_FOUND: [404, 'There is no such lamp.'] });
    expect(type).toEqual({ code: 'LAMP_NOT_FOUND', status: 404, summary: 'There is no such lamp.' });
    expect(Object.isFrozen(type)).toBe(true);
    expect(errorCatalogue()).toContain(type);
  });

  test('refuses a code that is taken, whatever else differs', () => {
    const { LAMP_TAKEN: type } = defineErrors({ LAMP_TAKEN: [409, 'Taken.'] });
    expect(() => defineErrors({ LAMP_TAKEN: [410, 'Other.'] })).toThrow(
      'error code LAMP_TAKEN is declared twice',
    );
    expect(errorCatalogue().filter(({ code }) => code === 'LAMP_TAKEN')).toEqual([type]);
  });

  test.each(['lampBroken', 'LAMP-BROKEN', 'LAMP__BROKEN', '_LAMP', 'LAMP_', '2_LAMPS', '', 'LÄMP', 'LAMP\n'])(
    'refuses %j, which is not UPPER_SNAKE_CASE',
    (code) => {
      expect(() => defineErrors({ [code]: [400, 'x'] })).toThrow('is not UPPER_SNAKE_CASE');
      expect(errorCatalogue().map((type) => type.code)).not.toContain(code);
    },
  );
});

test('the catalogue is sorted by status, then by code', () => {
  const order = errorCatalogue().map(({ status, code }) => `${status} ${code}`);
  expect(order).toEqual([...order].sort((a, b) => a.localeCompare(b)));
  expect(order.length).toBeGreaterThan(20);
});
