import { declareSingular, singularOf, withArticle } from './words.js';

test.each([
  ['products', 'product'],
  ['order-items', 'order-item'],
  ['categories', 'category'],
  ['boxes', 'box'],
  ['addresses', 'address'],
  ['houses', 'house'],
  ['statuses', 'status'],
])('one of the %s is a %s', (plural, singular) => {
  expect(singularOf(plural)).toBe(singular);
});

test('a resource declares what no rule finds, and no other resource something else', () => {
  expect(singularOf('lost-and-found')).toBe('lost-and-found');
  declareSingular('lost-and-found', 'lost-object');
  declareSingular('lost-and-found', 'lost-object');
  expect(singularOf('lost-and-found')).toBe('lost-object');
  expect(() => {
    declareSingular('lost-and-found', 'found-object');
  }).toThrow('lost-object by one resource, and found-object by another');
});

test.each([
  ['user', 'a user'],
  ['unit', 'a unit'],
  ['upload', 'an upload'],
  ['order', 'an order'],
  ['onion', 'an onion'],
])('%s: %s', (noun, words) => {
  expect(withArticle(noun)).toBe(words);
});
