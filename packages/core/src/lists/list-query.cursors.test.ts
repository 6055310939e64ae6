import fc from 'fast-check';

import { cursors, errorOf, orders, products, read } from '../../test/products-query.js';
import { ApiError } from '../http/errors/api-error.js';
import { ParsedListQuery, readListQuery } from './list-query.js';

const within = (productId: number, text = ''): ParsedListQuery =>
  readListQuery(products, text, cursors, [{ property: 'productId', value: productId }]);

const codeOf = (...query: Parameters<typeof errorOf>): string => errorOf(...query).type.code;

/** A cursor of the list that the query requests. */
function cursorOf(text: string): string {
  const { cursorScopeDigest, sort } = read(text);
  return cursors.encode(
    cursorScopeDigest,
    sort.map(() => '1'),
  );
}

describe('a cursor', () => {
  test('is accepted by the list that it belongs to', () => {
    expect(read(`sort=price:asc&cursor=${cursorOf('sort=price:asc')}`).position).toEqual({
      style: 'cursor',
      after: ['1', '1'],
    });
  });

  test.each<[string, string, string]>([
    ['another page size', 'limit=5', 'limit=50'],
    ['the default sort given explicitly', '', 'sort=createdAt:desc'],
    ['values in another order', 'category=x&category=y', 'category=y&category=x&category=y'],
  ])('stays valid with %s', (_name, before, after) => {
    expect(read(`${after}&cursor=${cursorOf(before)}`).position).toMatchObject({
      style: 'cursor',
      after: ['1', '1'],
    });
  });

  test.each<[string, string, string]>([
    ['another sort', 'sort=price:asc', 'sort=name:asc'],
    ['another direction', 'sort=price:asc', 'sort=price:desc'],
    ['the default sort', 'sort=price:asc', ''],
    ['an additional filter', '', 'category=x'],
    ['another value', 'category=x', 'category=y'],
    ['an additional value', 'category=x', 'category=x&category=y'],
    ['another bound of the same property', 'minPrice=5', 'maxPrice=5'],
  ])('is refused with %s', (_name, before, after) => {
    expect(codeOf(`${after}&cursor=${cursorOf(before)}`)).toBe('INVALID_CURSOR');
  });

  test('is refused by another list with the same sort', () => {
    expect(codeOf(`sort=price:asc&cursor=${cursorOf('sort=price:asc')}`, orders)).toBe('INVALID_CURSOR');
  });

  test('holds the keys of the last item and a digest, however many values the filters have', () => {
    const text = `sort=name:asc&${Array.from({ length: 100 }, (_, i) => `category=category+${i}`).join('&')}`;
    const { cursorScopeDigest } = read(text);
    const cursor = cursors.encode(cursorScopeDigest, ['x'.repeat(200), '9007199254740991']);
    expect(cursor.length).toBeLessThan(400);
    expect(Buffer.from(cursor, 'base64url').toString()).not.toContain('category');
    expect(read(`${text}&cursor=${cursor}`).position).toMatchObject({ style: 'cursor' });
  });

  test('is not read if the query has other faults', () => {
    expect(codeOf('sort=x:asc&cursor=abc')).toBe('INVALID_SORT');
    expect(codeOf('limit=0&cursor=abc')).toBe('UNPROCESSABLE_ENTITY');
  });
});

test('accepts a cursor only for the same parent', () => {
  const cursor = cursors.encode(within(1).cursorScopeDigest, ['2026-01-01T00:00:00.000Z', '1']);
  expect(within(1, `cursor=${cursor}`).position).toMatchObject({ style: 'cursor' });
  expect(() => within(2, `cursor=${cursor}`)).toThrow('must be a cursor of this list');
  expect(() => read(`cursor=${cursor}`)).toThrow('must be a cursor of this list');
});

test('throws only errors for the client, for any query', () => {
  const name = fc.constantFrom(...'sort page limit cursor category minPrice inStock __proto__'.split(' '));
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('price:asc', '1', '-1', 'true', '%ZZ'),
  );
  const pairs = fc.array(fc.tuple(name, value), { maxLength: 5 });
  fc.assert(
    fc.property(pairs, fc.boolean(), (parameters, isEncoded) => {
      const text = isEncoded
        ? new URLSearchParams(parameters).toString()
        : parameters.map((pair) => pair.join('=')).join('&');
      try {
        const query = read(text);
        expect(query.limit >= 1 && query.limit <= 100).toBe(true);
        expect(query.sort.at(-1)?.property).toBe('id');
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError);
        expect([400, 422]).toContain((error as ApiError).status);
      }
    }),
    { numRuns: 200 },
  );
});
