import { readBody } from '../../../../test/support/read-body.js';
import { ApiError } from '../http/errors/api-error.js';
import { PatchOf } from './derive.js';
import { Dto, setIgnoredFields } from './field.js';
import { Flag, Id, Integer, ListOf, Nested, Text } from './fields.js';

class LineDto {
  @Id()
  productId: number;
  @Integer({ min: 1, max: 1000 })
  quantity: number;
  @Flag({ default: false })
  isGift: boolean;
}

setIgnoredFields(LineDto, ['id', 'productName']);

class AddressDto {
  @Text({ max: 10 })
  city: string;
}

class OrderDto {
  @ListOf(LineDto, { min: 1, max: 3 })
  items: LineDto[];
  @Nested(AddressDto, { nullable: true, default: null })
  address: AddressDto | null;
}

setIgnoredFields(OrderDto, ['id']);

class PatchOrderDto extends PatchOf(OrderDto) {}

const line = { productId: 1, quantity: 2 };

const read = <T extends object>(body: unknown, dto: Dto<T>): T => readBody(body, dto);

function faultsOf(body: unknown, dto: Dto = OrderDto): string[] {
  try {
    read(body, dto);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const faults = (error.details ?? []).map(({ field, code }) => `${field} ${code}`);
    return [String(error.status), ...faults.sort()];
  }
  return [];
}

describe('a list of objects', () => {
  test('is read as instances of its class, with defaults', () => {
    const order = read({ items: [line, { ...line, isGift: true }] }, OrderDto);
    expect(order.items[0]).toBeInstanceOf(LineDto);
    expect(order).toEqual({
      items: [
        { ...line, isGift: false },
        { ...line, isGift: true },
      ],
      address: null,
    });
  });

  test('ignores fields that only the server writes, at every depth', () => {
    const shown = { id: 9, items: [{ ...line, id: 5, productName: 'Lamp' }], address: { city: 'Bonn' } };
    expect(read(shown, OrderDto)).toEqual({
      items: [{ ...line, isGift: false }],
      address: { city: 'Bonn' },
    });
  });

  test.each<[string, unknown, string[]]>([
    ['no list', {}, ['400', 'items REQUIRED']],
    ['an empty list', { items: [] }, ['422', 'items TOO_FEW']],
    ['too many items', { items: [line, line, line, line] }, ['422', 'items TOO_MANY']],
    ['a number inside', { items: [line, 7] }, ['400', 'items.1 WRONG_TYPE']],
    ['null inside', { items: [null] }, ['400', 'items.0 WRONG_TYPE']],
    ['an empty object', { items: [{}] }, ['400', 'items.0.productId REQUIRED', 'items.0.quantity REQUIRED']],
    ['a wrong type', { items: [{ ...line, quantity: '2' }] }, ['400', 'items.0.quantity WRONG_TYPE']],
    [
      'a value that is too small',
      { items: [line, { ...line, quantity: 0 }] },
      ['422', 'items.1.quantity TOO_SMALL'],
    ],
    ['an unknown field', { items: [{ ...line, colour: 1 }] }, ['400', 'items.0.colour UNKNOWN_FIELD']],
    [
      'faults of both kinds in several items and outside of them',
      {
        items: [
          { ...line, quantity: 0 },
          { productId: 'x', quantity: 1 },
        ],
        address: { city: '' },
        a: 1,
      },
      [
        '400',
        'a UNKNOWN_FIELD',
        'address.city BLANK',
        'items.0.quantity TOO_SMALL',
        'items.1.productId WRONG_TYPE',
      ],
    ],
    [
      'too many items, one with a wrong type',
      { items: [line, { ...line, quantity: 'x' }, line, line] },
      ['400', 'items TOO_MANY', 'items.1.quantity WRONG_TYPE'],
    ],
  ])('is refused with the path of each fault: %s', (_name, body, faults) => {
    expect(faultsOf(body)).toEqual(faults);
  });
});

describe('a nested object', () => {
  test.each<[string, unknown, string[]]>([
    ['an array', [{ city: 'Bonn' }], ['400', 'address WRONG_TYPE']],
    ['a string', 'Bonn', ['400', 'address WRONG_TYPE']],
    ['an object without its field', {}, ['400', 'address.city REQUIRED']],
    ['a field with a wrong value', { city: 'x'.repeat(11) }, ['422', 'address.city TOO_LONG']],
    ['an unknown field', { city: 'Bonn', zip: 1 }, ['400', 'address.zip UNKNOWN_FIELD']],
  ])('is refused with the path of each fault: %s', (_name, address, faults) => {
    expect(faultsOf({ items: [line], address })).toEqual(faults);
  });

  test('may be null if it is nullable', () => {
    expect(read({ items: [line], address: null }, OrderDto).address).toBeNull();
  });
});

describe('a patch with a list', () => {
  test('leaves an absent list absent', () => {
    expect(Object.keys(read({}, PatchOrderDto))).toEqual([]);
    expect(read({ address: null }, PatchOrderDto)).toEqual({ address: null });
  });

  test.each<[string, unknown, string[]]>([
    ['null for the list', { items: null }, ['400', 'items WRONG_TYPE']],
    ['an item without a required field', { items: [{ productId: 1 }] }, ['400', 'items.0.quantity REQUIRED']],
  ])('is refused like a create: %s', (_name, body, faults) => {
    expect(faultsOf(body, PatchOrderDto)).toEqual(faults);
  });
});

test.each<[string, () => unknown]>([
  ['numbers for objects', () => ({ items: Array<number>(15_000).fill(1) })],
  ['empty objects', () => ({ items: Array.from({ length: 15_000 }, () => ({})) })],
  ['unknown fields', () => Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`field${i}`, 1]))],
])('refuses a body with thousands of faults within half a second: %s', (_name, make) => {
  const body = make();
  const before = process.cpuUsage();
  expect(faultsOf(body)[0]).toBe('400');
  // Measures processor time, because a busy machine needs more wall time for the same work.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(500);
});
