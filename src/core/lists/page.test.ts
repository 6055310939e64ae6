import { Position } from './list-query.js';
import { pageLinks } from './page.js';

/** `{ first: 'page=1', … }` */
function linksOf(header: string, base = '/api/v1/products?'): Record<string, string> {
  return Object.fromEntries(
    header.split(', ').map((link) => {
      const [, target = '', relation = ''] = /^<([^<>]*)>; rel="(\w+)"$/.exec(link) ?? [];
      expect(target.startsWith(base)).toBe(true);
      return [relation, target.slice(base.length)];
    }),
  );
}

const offset = (page: number, totalPages: number): Record<string, string> =>
  linksOf(pageLinks('/api/v1/products', { style: 'offset', page }, { totalPages }));

describe('offset pages', () => {
  test.each<[string, number, number, Record<string, string>]>([
    ['the first of many', 1, 5, { first: 'page=1', next: 'page=2', last: 'page=5' }],
    ['one between', 3, 5, { first: 'page=1', prev: 'page=2', next: 'page=4', last: 'page=5' }],
    ['the last', 5, 5, { first: 'page=1', prev: 'page=4', last: 'page=5' }],
    ['the only one', 1, 1, { first: 'page=1', last: 'page=1' }],
    ['an empty list', 1, 0, { first: 'page=1', last: 'page=1' }],
    ['just past the end', 6, 5, { first: 'page=1', prev: 'page=5', last: 'page=5' }],
    ['far past the end', 900, 5, { first: 'page=1', prev: 'page=5', last: 'page=5' }],
    ['past an empty list', 2, 0, { first: 'page=1', prev: 'page=1', last: 'page=1' }],
  ])('%s', (_name, page, totalPages, links) => {
    expect(offset(page, totalPages)).toEqual(links);
  });

  test('are written as RFC 8288 says, in one order', () => {
    expect(pageLinks('/p', { style: 'offset', page: 2 }, { totalPages: 3 })).toBe(
      '</p?page=1>; rel="first", </p?page=1>; rel="prev", </p?page=3>; rel="next", </p?page=3>; rel="last"',
    );
  });
});

describe('cursor pages', () => {
  const cursor = (after: Position & { style: 'cursor' }, nextCursor: string | null): Record<string, string> =>
    linksOf(pageLinks('/api/v1/products', after, { nextCursor }));

  test.each<[string, readonly string[] | null, string | null, Record<string, string>]>([
    ['the first of many', null, 'abc', { first: 'cursor=', next: 'cursor=abc' }],
    ['one between', ['1', '2'], 'abc', { first: 'cursor=', next: 'cursor=abc' }],
    ['the last', ['1', '2'], null, { first: 'cursor=' }],
    ['the only one', null, null, { first: 'cursor=' }],
  ])('%s', (_name, after, nextCursor, links) => {
    expect(cursor({ style: 'cursor', after }, nextCursor)).toEqual(links);
  });
});

describe('other parameters', () => {
  const others = 'category=desk+lamps&sort=price%3Aasc&limit=5';

  test('are kept in every link of an offset page', () => {
    const url = `/api/v2/products?${others}&page=2`;
    const header = pageLinks(url, { style: 'offset', page: 2 }, { totalPages: 3 });
    expect(linksOf(header, `/api/v2/products?${others}&`)).toEqual({
      first: 'page=1',
      prev: 'page=1',
      next: 'page=3',
      last: 'page=3',
    });
  });

  test('are kept in every link of a cursor page', () => {
    const url = `/p?cursor=&${others}`;
    const header = pageLinks(url, { style: 'cursor', after: null }, { nextCursor: 'x_-9' });
    expect(linksOf(header, `/p?${others}&`)).toEqual({ first: 'cursor=', next: 'cursor=x_-9' });
  });

  test.each([
    ['', ''],
    ['?', ''],
    ['?page=2', ''],
    ['?category=desk+lamps&page=2&limit=5', 'category=desk+lamps&limit=5&'],
    ['?limit=500&sort=price:asc', 'limit=500&sort=price%3Aasc&'],
    ['?category=%3E%22%26', 'category=%3E%22%26&'],
    ['?category=>,<x>;rel="next"', 'category=%3E%2C%3Cx%3E%3Brel%3D%22next%22&'],
    ['?cursor=&inStock=true', 'inStock=true&'],
    ['?p%61ge=2&limit=0005', 'limit=0005&'],
  ])('%s: kept as %j', (search, kept) => {
    const header = pageLinks(`/p${search}`, { style: 'offset', page: 1 }, { totalPages: 1 });
    expect(header).toContain(`</p?${kept}page=1>; rel="first"`);
  });
});
