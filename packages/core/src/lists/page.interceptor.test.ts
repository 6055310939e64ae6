import { pageLinks, Pagination } from './page.interceptor.js';

const offset = (page: number, totalPages: number): Pagination => ({ page, limit: 20, total: 0, totalPages });
const cursor = (nextCursor: string | null): Pagination => ({ nextCursor, hasMore: nextCursor !== null });

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

test.each<[string, Pagination, Record<string, string>]>([
  ['the first of many', offset(1, 5), { first: 'page=1', next: 'page=2', last: 'page=5' }],
  ['one between', offset(3, 5), { first: 'page=1', prev: 'page=2', next: 'page=4', last: 'page=5' }],
  ['the last', offset(5, 5), { first: 'page=1', prev: 'page=4', last: 'page=5' }],
  ['an empty list', offset(1, 0), { first: 'page=1', last: 'page=1' }],
  ['far past the end', offset(900, 5), { first: 'page=1', prev: 'page=5', last: 'page=5' }],
  ['past an empty list', offset(2, 0), { first: 'page=1', prev: 'page=1', last: 'page=1' }],
  ['one by cursor', cursor('x_-9'), { first: 'cursor=', next: 'cursor=x_-9' }],
  ['the last by cursor', cursor(null), { first: 'cursor=' }],
])('the links of %s', (_name, pagination, links) => {
  expect(linksOf(pageLinks('/api/v1/products', pagination).join(', '))).toEqual(links);
});

test('are written as RFC 8288 says, in one order', () => {
  expect(pageLinks('/p', offset(2, 3)).join(', ')).toBe(
    '</p?page=1>; rel="first", </p?page=1>; rel="prev", </p?page=3>; rel="next", </p?page=3>; rel="last"',
  );
});

test.each([
  ['', ''],
  ['?', ''],
  ['?page=2', ''],
  ['?category=desk+lamps&page=2&limit=5', 'category=desk+lamps&limit=5&'],
  ['?limit=500&sort=price:asc', 'limit=500&sort=price%3Aasc&'],
  ['?category=>,<x>;rel="next"', 'category=%3E%2C%3Cx%3E%3Brel%3D%22next%22&'],
  ['?cursor=&category=?', 'category=%3F&'],
  ['?p%61ge=2&limit=0005', 'limit=0005&'],
])('%s: other parameters are kept as %j', (search, kept) => {
  expect(pageLinks(`/p${search}`, offset(1, 1))).toContain(`</p?${kept}page=1>; rel="first"`);
  expect(pageLinks(`/p${search}`, cursor(null))).toEqual([`</p?${kept}cursor=>; rel="first"`]);
});
