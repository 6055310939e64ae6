import 'reflect-metadata';

import { Choice, Decimal, Id, Text, Timestamp, Uuid } from '../fields/fields.js';
import { ApiError } from '../http/errors/api-error.js';
import { CursorCodec } from './cursor.js';
import { anyOf, atLeast, atMost, equals, isNull, startsWith } from './filters.js';
import { defineList } from './list-definition.js';
import { ListQuery } from './list-query.js';
import { readListQuery } from './read-list-query.js';

class Product {
  @Timestamp()
  createdAt: string;
  @Text({ max: 20 })
  name: string;
  @Choice({ of: ['new', 'old'] })
  status: string;
  @Id()
  makerId: number;
  @Decimal({ precision: 3, scale: 2, nullable: true })
  rating: number | null;
  @Uuid()
  batch: string;
  @Decimal({ precision: 5, scale: 2, min: -100 })
  celsius: number;
}

const products = defineList(Product, {
  name: 'products',
  filters: {
    in: anyOf('status'),
    makers: anyOf('makerId'),
    batch: equals('batch'),
    since: atLeast('createdAt'),
    until: atMost('createdAt'),
    warmer: atLeast('celsius'),
    colder: atMost('celsius'),
    begins: startsWith('name'),
    unrated: isNull('rating'),
  },
});
const cursors = new CursorCodec(['a-secret-of-the-service-of-32-bytes!']);

const read = (text: string): ListQuery => readListQuery(products, text, cursors);

function errorOf(text: string): ApiError {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error(`${text} was taken`);
}

describe('filters of every kind take', () => {
  test.each<[string, unknown]>([
    ['in=old', ['old']],
    ['in=old,new,old', ['old', 'new']],
    ['makers=7,99999999999999', [7, 0]],
    ['batch=0197D3A0-7C1E-7B2A-9D4F-3B1C5E6F7A8B', '0197d3a0-7c1e-7b2a-9d4f-3b1c5e6f7a8b'],
    ['since=2026-11-20T09:30:00%2B02:00', '2026-11-20T07:30:00.000Z'],
    ['warmer=-12.5', '-12.5'],
    ['begins=Oak', ['Oak', 'Oal']],
    ['unrated=true', true],
  ])('%s: %j', (text, value) => {
    expect(read(text).conditions).toEqual([{ filter: text.slice(0, text.indexOf('=')), value }]);
  });
});

describe('filters of every kind refuse', () => {
  test.each<[string, string, string, ...string[]]>([
    ['one of several words that is none', 'in=new,lost', 'INVALID_QUERY', 'in NOT_ALLOWED'],
    ['several values, one of them empty', 'makers=1,', 'INVALID_QUERY', 'makers WRONG_TYPE'],
    [
      'more values than a filter takes',
      `makers=${'1,'.repeat(50)}1`,
      'UNPROCESSABLE_ENTITY',
      'makers TOO_MANY',
    ],
    ['what is no UUID', 'batch=7', 'INVALID_QUERY', 'batch WRONG_TYPE'],
    ['what is no time', 'since=yesterday', 'INVALID_QUERY', 'since WRONG_TYPE'],
    ['a time of no calendar', 'since=2026-02-30T00:00:00Z', 'INVALID_QUERY', 'since WRONG_TYPE'],
    [
      'a time range that ends before it begins',
      'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z',
      'UNPROCESSABLE_ENTITY',
      'since TOO_LARGE',
    ],
    [
      'a range of negative numbers that crosses',
      'warmer=-5&colder=-6',
      'UNPROCESSABLE_ENTITY',
      'warmer TOO_LARGE',
    ],
    ['less than its field takes', 'warmer=-100.01', 'UNPROCESSABLE_ENTITY', 'warmer TOO_SMALL'],
    ['an empty beginning', 'begins=', 'UNPROCESSABLE_ENTITY', 'begins TOO_SHORT'],
    [
      'a beginning longer than the text',
      `begins=${'x'.repeat(21)}`,
      'UNPROCESSABLE_ENTITY',
      'begins TOO_LONG',
    ],
    ['null that is neither', 'unrated=1', 'INVALID_QUERY', 'unrated WRONG_TYPE'],
  ])('%s', (_name, text, code, ...faults) => {
    const error = errorOf(text);
    expect(error.type.code).toBe(code);
    expect(error.details!.map((detail) => `${detail.field} ${detail.code}`)).toEqual(faults);
  });
});
