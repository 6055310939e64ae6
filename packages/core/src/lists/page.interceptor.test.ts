import { pageLinks, Pagination } from './page.interceptor.js';

const offset = (page: number, totalPages: number): Pagination => ({ page, limit: 20, total: 0, totalPages });
const cursor = (nextCursor: string | null): Pagination => ({ nextCursor, hasMore: nextCursor !== null });

/** The query of each link by its relation, such as `{ first: 'page=1' }`. */
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
  ['the first page', offset(1, 5), { first: 'page=1', next: 'page=2', last: 'page=5' }],
  ['a page in the middle', offset(3, 5), { first: 'page=1', prev: 'page=2', next: 'page=4', last: 'page=5' }],
  ['the last page', offset(5, 5), { first: 'page=1', prev: 'page=4', last: 'page=5' }],
  ['an empty list', offset(1, 0), { first: 'page=1', last: 'page=1' }],
  ['a page far past the end', offset(900, 5), { first: 'page=1', prev: 'page=5', last: 'page=5' }],
  ['a page past an empty list', offset(2, 0), { first: 'page=1', prev: 'page=1', last: 'page=1' }],
  ['a page by cursor', cursor('x_-9'), { first: 'cursor=', next: 'cursor=x_-9' }],
  ['the last page by cursor', cursor(null), { first: 'cursor=' }],
])('links %s to its neighbours', (_name, pagination, links) => {
  expect(linksOf(pageLinks('/api/v1/products', pagination).join(', '))).toEqual(links);
});

test('writes links in the format of RFC 8288, in a fixed order', () => {
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
])('keeps the other parameters of %s in its links as %j', (search, kept) => {
  expect(pageLinks(`/p${search}`, offset(1, 1))).toContain(`</p?${kept}page=1>; rel="first"`);
  expect(pageLinks(`/p${search}`, cursor(null))).toEqual([`</p?${kept}cursor=>; rel="first"`]);
});
