import { errorOf, faultsOf, readBody } from '../../../../test/support/read-body.js';
import { readJson } from '../http/body/json-body.js';
import { PatchOf } from './derive.js';
import { field, setIgnoredFields } from './field.js';
import { Decimal, Flag, Integer, ListOf, Money, Nested, Text } from './fields.js';

class CreateLampDto {
  @Text({ max: 20 })
  name: string;
  @Money()
  price: number;
  @Flag({ default: true })
  inStock: boolean;
  @Integer({ min: -5, max: 5, optional: true })
  stars?: number;
  @Decimal({ optional: true })
  weight?: number;
}

setIgnoredFields(CreateLampDto, ['id', 'rating']);

class PatchLampDto extends PatchOf(CreateLampDto) {}

class ShelfDto {
  @ListOf(CreateLampDto, { min: 1, max: 100 })
  lamps: CreateLampDto[];
}

const lamp = { name: 'Walnut', price: 49.9 };

const create = (body: unknown): CreateLampDto => readBody(body, CreateLampDto);

describe('a value of the wrong type', () => {
  /** Returns an object that throws if its keys are listed. */
  const unwalkable = (target: object): object =>
    new Proxy(target, {
      ownKeys: () => {
        throw new Error('it was walked');
      },
    });

  test.each<[string, object, string]>([
    ['an object for a string', { ...lamp, name: unwalkable({}) }, '400 name:WRONG_TYPE'],
    ['an object for a number', { ...lamp, price: unwalkable({}) }, '400 price:WRONG_TYPE'],
    ['an array for a flag', { ...lamp, inStock: unwalkable([]) }, '400 inStock:WRONG_TYPE'],
    ['an unknown field', { ...lamp, colour: unwalkable({}) }, '400 colour:UNKNOWN_FIELD'],
  ])('is refused before its keys are listed: %s', (_name, body, faults) => {
    expect(faultsOf(CreateLampDto, body)).toBe(faults);
    expect(faultsOf(PatchLampDto, body)).toBe(faults);
  });

  test('is ignored, without listing its keys, in a field that only the server writes', () => {
    expect(create({ ...lamp, id: unwalkable({}), rating: unwalkable([]) })).toEqual({
      ...lamp,
      inStock: true,
    });
  });
});

describe('a value of a field without a declared structure', () => {
  const anything = (): PropertyDecorator =>
    field({
      typeName: 'an object',
      isOfType: (value) => typeof value === 'object' && value !== null,
      schema: { type: 'object' },
      rules: [],
    });

  class PartDto {
    @anything()
    shape: object;
    @Text({ max: 9 })
    name: string;
  }

  class WholeDto {
    @anything()
    shape: object;
    @Nested(PartDto)
    part: PartDto;
    @ListOf(PartDto, { min: 1, max: 3 })
    parts: PartDto[];
  }

  const shape = (): object =>
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('it was walked');
        },
      },
    );

  test('is passed on as it is, in the body, in nested objects and in items', () => {
    const [a, b, c, d] = [shape(), shape(), shape(), [shape()]];
    const parts = [
      { name: 'c', shape: c },
      { name: 'd', shape: d },
    ];
    const body = { shape: a, part: { name: 'b', shape: b }, parts };
    const payload = readBody(body, WholeDto);
    expect(payload.shape).toBe(a);
    expect(payload.part).toBeInstanceOf(PartDto);
    expect(payload.part.shape).toBe(b);
    expect(payload.parts[0]!.shape).toBe(c);
    expect(payload.parts[1]!.shape).toBe(d);
    expect(payload.parts.map(({ name }) => name)).toEqual(['c', 'd']);
  });

  test('is validated like any other value', () => {
    const body = { shape: 1, part: { name: 'b' }, parts: [{ name: 'c', shape: null }] };
    expect(faultsOf(WholeDto, body)).toBe(
      '400 shape:WRONG_TYPE parts.0.shape:WRONG_TYPE part.shape:REQUIRED',
    );
  });
});

describe('the size of an error response', () => {
  const body = Object.fromEntries(
    Array.from({ length: 19_000 }, (_, i) => [`${'\u0001'.repeat(50)}${i}`, i]),
  );

  test('is bounded, however many fields are wrong and whatever their names are', () => {
    const answer = JSON.stringify(errorOf(CreateLampDto, body).toBody());
    expect(errorOf(CreateLampDto, body).details).toHaveLength(100);
    expect(Buffer.byteLength(answer)).toBeLessThan(64 * 1024);
  });

  test('is bounded, however long a value is', () => {
    const { message, details } = errorOf(CreateLampDto, { ...lamp, name: '😀'.repeat(500_000) });
    expect(message).toBe('name: must have at most 20 characters (got a string of 500000 characters)');
    expect(details).toHaveLength(1);
  });

  test('does not hide an unknown field, which decides the status, behind a hundred other faults', () => {
    const lamps = Array.from({ length: 100 }, () => '{"name":"a","price":1.0000000000000000001}');
    const shelf: unknown = readJson(Buffer.from(`{"lamps":[${lamps.join()}],"hue":1}`));
    const { status, details } = errorOf(ShelfDto, shelf);
    expect(status).toBe(400);
    expect(details).toHaveLength(100);
    expect(details?.[0]).toMatchObject({ field: 'hue', code: 'UNKNOWN_FIELD' });
  });
});

describe('a number in a body', () => {
  const read = (fields: string): unknown => readJson(Buffer.from(`{"name":"Walnut",${fields}}`));

  test.each<[string, number]>([
    ['"price":19.99000000000000000000000', 19.99],
    ['"price":1999e-2', 19.99],
    ['"price":0.000000000000000000001999e22', 19.99],
    ['"price":9999999999.990000000000', 9_999_999_999.99],
  ])('is accepted by the digits that were sent: %s', (fields, price) => {
    expect(create(read(fields)).price).toBe(price);
  });

  test.each([
    ['"price":19.9900000000000000001', '422 price:TOO_PRECISE'],
    ['"price":1e-400', '422 price:TOO_PRECISE'],
    ['"price":1.99900000000000000001e1', '422 price:TOO_PRECISE'],
    ['"price":9999999999.9900000000001', '422 price:TOO_PRECISE'],
    ['"price":-5.0000000000000000001', '422 price:TOO_PRECISE price:TOO_SMALL'],
    ['"price":123456789012345678901', '422 price:TOO_LARGE'],
    ['"price":1,"stars":2.00000000000000000001', '400 stars:WRONG_TYPE'],
    ['"price":1,"stars":12345678901234567890', '422 stars:TOO_LARGE'],
  ])('is refused by the digits that were sent: %s is %s', (fields, faults) => {
    expect(faultsOf(CreateLampDto, read(fields))).toBe(faults);
    expect(faultsOf(PatchLampDto, read(fields))).toBe(faults);
  });

  test('appears in the message with the digits that were sent', () => {
    expect(errorOf(CreateLampDto, read('"price":19.9900000000000000001')).message).toBe(
      'price: must have at most 2 decimal places (got 19.9900000000000000001)',
    );
    const { message } = errorOf(CreateLampDto, read(`"price":0.${'1'.repeat(100_000)}`));
    expect(message).toBe(`price: must have at most 2 decimal places (got 0.${'1'.repeat(38)}…)`);
  });

  test('is rounded to the nearest double if the field accepts any number', () => {
    expect(create(read('"price":1,"weight":3.14159265358979323846')).weight).toBe(Math.PI);
  });
});
