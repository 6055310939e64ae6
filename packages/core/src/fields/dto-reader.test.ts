import { errorOf, faultsOf, readBody } from '../../../../test/support/read-body.js';
import { PatchOf } from './derive.js';
import { fieldsOf, ignore } from './field.js';
import { Decimal, Flag, Id, Money, Text, Timestamp } from './fields.js';

class LampDto {
  @Id()
  id: number;
  @Text({ max: 20 })
  name: string;
  @Money()
  price: number;
  @Flag()
  inStock: boolean;
  @Text({ max: 10, nullable: true })
  category: string | null;
  @Decimal({ nullable: true })
  rating: number | null;
  @Timestamp()
  createdAt: string;
}

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

class ReplaceLampDto {
  @Text({ max: 20 })
  name: string;
  @Money()
  price: number;
  @Flag({ default: true })
  inStock: boolean;
  @Text({ max: 10, nullable: true, default: null })
  category: string | null;
}

for (const dto of [CreateLampDto, ReplaceLampDto]) ignore(dto, fieldsOf(LampDto).keys());

class PatchLampDto extends PatchOf(ReplaceLampDto) {}

const lamp = { name: 'Walnut', price: 49.9, category: 'desk' };

const create = (body: unknown): CreateLampDto => readBody(body, CreateLampDto);
const replace = (body: unknown): ReplaceLampDto => readBody(body, ReplaceLampDto);
const patch = (body: unknown): object => readBody(body, PatchLampDto);

describe('create', () => {
  test('takes what is needed and fills in the rest', () => {
    const body = create(lamp);
    expect(body).toBeInstanceOf(CreateLampDto);
    expect(Object.assign({}, body)).toStrictEqual({ ...lamp, inStock: true });
  });

  test('takes what is sent over the default', () => {
    expect(create({ ...lamp, inStock: false }).inStock).toBe(false);
  });

  test.each<[string, object, string]>([
    ['nothing of it', {}, '400 name:REQUIRED price:REQUIRED category:REQUIRED'],
    ['null as flag with a default', { ...lamp, inStock: null }, '400 inStock:WRONG_TYPE'],
    [
      'null as category, which only a replacement clears',
      { ...lamp, category: null },
      '400 category:WRONG_TYPE',
    ],
    ['an object with its own toString', { ...lamp, name: { toString: 1 } }, '400 name:WRONG_TYPE'],
    ['an array as text field', { ...lamp, name: ['Walnut'] }, '400 name:WRONG_TYPE'],
    ['a field in other letters', { ...lamp, instock: true }, '400 instock:UNKNOWN_FIELD'],
    [
      'a field that every object has',
      { ...lamp, constructor: 1, toString: 1 },
      '400 constructor:UNKNOWN_FIELD toString:UNKNOWN_FIELD',
    ],
    [
      'an own __proto__',
      JSON.parse('{"name":"x","price":1,"category":"x","__proto__":{"price":2}}'),
      '400 __proto__:UNKNOWN_FIELD',
    ],
    [
      'the version of the row, which no representation shows',
      { ...lamp, version: 3 },
      '400 version:UNKNOWN_FIELD',
    ],
    ['a long blank name', { ...lamp, name: ' '.repeat(21) }, '422 name:BLANK name:TOO_LONG'],
  ])('%s', (_name, body, faults) => {
    const found = faultsOf(CreateLampDto, body).split(' ');
    expect([found[0], ...found.slice(1).sort()]).toEqual([
      faults.split(' ')[0],
      ...faults.split(' ').slice(1).sort(),
    ]);
  });

  test('both kinds at once: 400 with all of them', () => {
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

  test('messages say what was got and what is taken', () => {
    const { details } = errorOf(CreateLampDto, { name: 'x'.repeat(50), price: '12', colour: 1 });
    expect(Object.fromEntries(details!.map(({ field, message }) => [field, message]))).toEqual({
      colour: 'is unknown; the fields are name, price, category, inStock',
      name: 'got a string of 50 characters, takes at most 20 characters',
      price: 'got "12", takes a number',
      category: 'is missing, and required',
    });
  });
});

describe('fields that the server owns', () => {
  test.each([['id'], ['rating'], ['createdAt']])('%s is ignored, whatever its value', (field) => {
    for (const value of [7, 'x', null, { a: 1 }, []]) {
      expect(create({ ...lamp, [field]: value })).toEqual({ ...lamp, inStock: true });
      expect(patch({ [field]: value })).toEqual({});
    }
  });

  test('what was read can be sent back', () => {
    const shown = { id: 4, ...lamp, category: null, inStock: false, rating: 4.5, createdAt: '2026-01-01' };
    expect(replace(shown)).toEqual({ name: 'Walnut', price: 49.9, category: null, inStock: false });
  });
});

describe('replace', () => {
  test('what is omitted goes back to its default', () => {
    expect(Object.assign({}, replace({ name: 'Oak', price: 1 }))).toStrictEqual({
      name: 'Oak',
      price: 1,
      inStock: true,
      category: null,
    });
  });

  test.each<[string, object, string]>([
    ['name and price are needed', {}, '400 name:REQUIRED price:REQUIRED'],
    ['null is no flag', { ...lamp, inStock: null }, '400 inStock:WRONG_TYPE'],
    ['a category that is there is judged', { ...lamp, category: '' }, '422 category:BLANK'],
  ])('%s', (_name, body, faults) => {
    expect(faultsOf(ReplaceLampDto, body)).toBe(faults);
  });
});

describe('patch', () => {
  test.each<[string, object]>([
    ['nothing', {}],
    ['one field', { price: 0 }],
    ['null clears what may be null', { category: null }],
  ])('takes %s, and fills in nothing', (_name, body) => {
    const read = patch(body);
    expect({ ...read }).toStrictEqual(body);
    expect(Object.keys(read).sort()).toEqual(Object.keys(body).sort());
  });

  test.each<[string, object, string]>([
    ['null elsewhere', { name: null }, '400 name:WRONG_TYPE'],
    ['null where there is a default', { inStock: null }, '400 inStock:WRONG_TYPE'],
    ['an unknown field', { colour: 1 }, '400 colour:UNKNOWN_FIELD'],
  ])('refuses %s', (_name, body, faults) => {
    expect(faultsOf(PatchLampDto, body)).toBe(faults);
  });
});
