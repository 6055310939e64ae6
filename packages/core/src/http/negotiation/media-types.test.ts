import { chooseMediaType, JSON_TYPE, vendorMediaType } from './media-types.js';

const [V1, V2, V9] = [vendorMediaType(1), vendorMediaType(2), vendorMediaType(9)];

test.each<[string | undefined, string | undefined]>([
  // Ranges that match JSON.
  [undefined, JSON_TYPE],
  ['', JSON_TYPE],
  [' , ', JSON_TYPE],
  ['APPLICATION/Json', JSON_TYPE],
  ['application/*', JSON_TYPE],
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', JSON_TYPE],
  ['application/json; charset=utf-8', JSON_TYPE],
  ['application/json;Q=0.5 ; ext=1', JSON_TYPE],
  ['application/json, application/json;q=0', JSON_TYPE],
  ['*/*;q=0, application/*', JSON_TYPE],
  ['nonsense, application/json', JSON_TYPE],
  // Vendor types, which wildcards do not match.
  [V1, V1],
  [V2.toUpperCase(), V2],
  [`${V1}, ${V2}`, V2],
  [`${V1}, ${V2};q=0.9`, V1],
  [`${JSON_TYPE}, ${V2}`, V2],
  [`${JSON_TYPE}, ${V2};q=0.9`, JSON_TYPE],
  [`*/*, ${V2};q=0`, JSON_TYPE],
  [`${V9}, */*;q=0.1`, JSON_TYPE],
  // Ranges that match none of the offered types.
  [V9, undefined],
  ['text/html', undefined],
  ['application/*+json', undefined],
  ['application/json;q=0, */*', undefined],
  ['application/*;q=0, */*', undefined],
  ['*/*;q=0', undefined],
  ['application/json;q=abc', undefined],
  ['application/json;q=-1', undefined],
  ['application/json;q=2', undefined],
  ['application/jsonp', undefined],
])('answers Accept %p with %p', (accept, type) => {
  expect(chooseMediaType(accept, [V2, V1, JSON_TYPE])).toBe(type);
});

test.each<[string, string | undefined]>([
  ['*/*', JSON_TYPE],
  ['text/*, application/json;q=0.9', 'text/csv'],
  ['text/csv, application/json', JSON_TYPE],
  ['image/png', undefined],
])('answers Accept %p with %p if JSON and CSV are offered', (accept, type) => {
  expect(chooseMediaType(accept, [JSON_TYPE, 'text/csv'])).toBe(type);
});

test('parses long Accept headers within 250 ms', () => {
  const startedAt = performance.now();
  for (const part of [',', ';', '"', 'a/b;q=0.5,', '"\\'])
    chooseMediaType(part.repeat(8_192), [V1, JSON_TYPE]);
  expect(performance.now() - startedAt).toBeLessThan(250);
});
