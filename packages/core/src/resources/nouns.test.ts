import { nounFinder, toSingular, withArticle } from './nouns.js';

test.each([
  ['products', 'product'],
  ['order-items', 'order-item'],
  ['categories', 'category'],
  ['boxes', 'box'],
  ['addresses', 'address'],
  ['houses', 'house'],
  ['statuses', 'status'],
])('derives the singular of %s as %s', (plural, singular) => {
  expect(toSingular(plural)).toBe(singular);
});

test('prefers a declared singular, and refuses two resources of one path that declare different singulars', () => {
  const declaring = (...singulars: (string | undefined)[]) =>
    nounFinder(singulars.map((singular) => ({ resource: { path: 'lost-and-found', singular } as never })));
  expect(declaring(undefined)('lost-and-found')).toBe('lost and found');
  expect(declaring('lost-object', undefined, 'lost-object')('lost-and-found')).toBe('lost object');
  expect(declaring('lost-object')('order-items')).toBe('order item');
  expect(() => declaring('lost-object', 'found-object')('lost-and-found')).toThrow(
    'lost-and-found: lost-object and found-object',
  );
});

test.each([
  ['user', 'a user'],
  ['unit', 'a unit'],
  ['upload', 'an upload'],
  ['order', 'an order'],
  ['onion', 'an onion'],
])('puts an article before %s: %s', (noun, words) => {
  expect(withArticle(noun)).toBe(words);
});
