import { errorOf, faultsOf, readBody } from '../../../../test/support/read-body.js';
import { setIgnoredFields } from './field.js';
import { Flag, Money, Text } from './fields.js';

class CreateLampDto {
  @Text({ max: 20 })
  name: string;
  @Money()
  price: number;
  @Text({ max: 10 })
  category: string;
  @Flag({ default: true })
  inStock: boolean;
}

setIgnoredFields(CreateLampDto, ['id', 'rating', 'createdAt']);

const lamp = { name: 'Walnut', price: 49.9, category: 'desk' };

const create = (body: unknown): CreateLampDto => readBody(body, CreateLampDto);

describe('a body of a create request', () => {
  test('gets the defaults of the fields that it leaves out', () => {
    const body = create(lamp);
    expect(body).toBeInstanceOf(CreateLampDto);
    expect(Object.assign({}, body)).toStrictEqual({ ...lamp, inStock: true });
  });

  test.each<[string, object, string]>([
    ['no field', {}, '400 name:REQUIRED price:REQUIRED category:REQUIRED'],
    ['null for a flag with a default', { ...lamp, inStock: null }, '400 inStock:WRONG_TYPE'],
    ['null for a category that is not nullable', { ...lamp, category: null }, '400 category:WRONG_TYPE'],
    ['an object with its own toString', { ...lamp, name: { toString: 1 } }, '400 name:WRONG_TYPE'],
    ['an array for a string', { ...lamp, name: ['Walnut'] }, '400 name:WRONG_TYPE'],
    ['a field in other case', { ...lamp, instock: true }, '400 instock:UNKNOWN_FIELD'],
    [
      'a field that every JavaScript object has',
      { ...lamp, constructor: 1, toString: 1 },
      '400 constructor:UNKNOWN_FIELD toString:UNKNOWN_FIELD',
    ],
    [
      'an own __proto__',
      JSON.parse('{"name":"x","price":1,"category":"x","__proto__":{"price":2}}'),
      '400 __proto__:UNKNOWN_FIELD',
    ],
    ['the version of the row, which no response shows', { ...lamp, version: 3 }, '400 version:UNKNOWN_FIELD'],
    ['a long blank name', { ...lamp, name: ' '.repeat(21) }, '422 name:BLANK name:TOO_LONG'],
  ])('is refused with %s', (_name, body, faults) => {
    const found = faultsOf(CreateLampDto, body).split(' ');
    expect([found[0], ...found.slice(1).sort()]).toEqual([
      faults.split(' ')[0],
      ...faults.split(' ').slice(1).sort(),
    ]);
  });

  test('is refused with 400 and all faults if both types and values are wrong', () => {
    const body = { name: '', price: -1.234, category: 5, inStock: 'yes', colour: 'red' };
    const error = errorOf(CreateLampDto, body);
    expect(error.type.code).toBe('VALIDATION_FAILED');
    expect(error.details!.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
      'category WRONG_TYPE',
      'colour UNKNOWN_FIELD',
      'inStock WRONG_TYPE',
      'name BLANK',
      'price TOO_PRECISE',
      'price TOO_SMALL',
    ]);
  });

  test('is refused with messages that name the value and the rule', () => {
    const { details } = errorOf(CreateLampDto, { name: 'x'.repeat(50), price: '12', colour: 1 });
    expect(Object.fromEntries(details!.map(({ field, message }) => [field, message]))).toEqual({
      colour: 'is unknown; the fields are name, price, category, inStock',
      name: 'must have at most 20 characters (got a string of 50 characters)',
      price: 'must be a number (got "12")',
      category: 'is required',
    });
  });
});
