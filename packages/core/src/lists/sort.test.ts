import fc from 'fast-check';

import { parseSort, sortPattern, SortTerm } from './sort.js';

const SORTS = ['createdAt', 'price', 'rating', 'title', 'id'];

const formatSort = (sort: readonly SortTerm[]): string =>
  sort.map(({ property, direction }) => `${property}:${direction}`).join(',');

function terms(text: string): readonly SortTerm[] {
  const sort = parseSort(text, SORTS);
  if (typeof sort === 'string') throw new Error(sort);
  return sort;
}

it('the pattern of a sort matches every sort that is accepted, and otherwise only sorts that repeat a field', () => {
  const term = fc.tuple(fc.constantFrom(...SORTS, 'colour', ''), fc.constantFrom('asc', 'desc', 'up', ''));
  const texts = fc.array(
    term.map((parts) => parts.join(':')),
    { maxLength: 5 },
  );
  const pattern = new RegExp(sortPattern(SORTS), 'u');
  fc.assert(
    fc.property(texts, (parts) => {
      const fields = parts.map((part) => part.split(':')[0]);
      const isRead = typeof parseSort(parts.join(','), SORTS) !== 'string';
      if (isRead || new Set(fields).size === fields.length)
        expect(pattern.test(parts.join(','))).toBe(isRead);
    }),
  );
  expect(pattern.test('price:asc,price:desc')).toBe(true);
  expect(new RegExp(sortPattern(['name']), 'u').test('name:asc,name:desc')).toBe(false);
});

describe('parseSort()', () => {
  test.each<[string, string]>([
    ['price:asc', 'price:asc,id:asc'],
    ['price:desc', 'price:desc,id:desc'],
    ['rating:desc,price:asc', 'rating:desc,price:asc,id:asc'],
    ['price:asc,rating:desc', 'price:asc,rating:desc,id:desc'],
    ['title:asc', 'title:asc,id:asc'],
    ['id:asc', 'id:asc'],
    ['id:desc', 'id:desc'],
    ['price:asc,id:desc', 'price:asc,id:desc'],
    ['price:asc,id:desc,rating:asc', 'price:asc,id:desc'],
    ['createdAt:asc,price:asc,rating:asc,title:asc', 'createdAt:asc,price:asc,rating:asc,title:asc,id:asc'],
  ])('reads %s as %s', (text, formatted) => {
    expect(formatSort(terms(text))).toBe(formatted);
  });

  const FIELDS = 'takes the fields createdAt, price, rating, title, id';
  test.each<[string, string]>([
    ['', `got "", ${FIELDS}`],
    ['price:asc,', `got "", ${FIELDS}`],
    [',price:asc', `got "", ${FIELDS}`],
    ['color:asc', `got "color", ${FIELDS}`],
    [' price:asc', `got " price", ${FIELDS}`],
    ['-price', `got "-price", ${FIELDS}`],
    ['constructor:asc', `got "constructor", ${FIELDS}`],
    ['price;drop table products:asc', `got "price;drop table products", ${FIELDS}`],
    ['\u0000:asc', `got "\\u0000", ${FIELDS}`],
    ['price', 'got "price", takes price:asc or price:desc'],
    ['price:ASC', 'got "price:ASC", takes price:asc or price:desc'],
    ['price:up', 'got "price:up", takes price:asc or price:desc'],
    ['price:asc:desc', 'got "price:asc:desc", takes price:asc or price:desc'],
    ['price:asc,price:desc', 'names price twice, takes each field once'],
    ['price:asc,rating:asc,price:asc', 'names price twice, takes each field once'],
  ])('refuses %j', (text, message) => {
    expect(parseSort(text, SORTS)).toBe(message);
  });

  test('does not repeat long text in the message', () => {
    expect(parseSort('x'.repeat(5000), SORTS)).toBe(`got "${'x'.repeat(40)}…", ${FIELDS}`);
  });
});
