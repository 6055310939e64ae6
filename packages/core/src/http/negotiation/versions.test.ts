import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { PRODUCT } from '../../config/product.js';
import { versionedUrl } from './versions.js';

const V2 = `application/vnd.${PRODUCT.slug}.v2+json`;

const route = (url: string | undefined, accept?: string): string =>
  versionedUrl(Object.assign(new IncomingMessage(new Socket()), { url, headers: { accept } }), [1, 2]);

test.each<[string, string | undefined, string]>([
  ['/api/products', undefined, '/api/v1/products'],
  ['/api/products', '', '/api/v1/products'],
  ['/api/products', 'application/json', '/api/v1/products'],
  ['/api/products', `application/vnd.${PRODUCT.slug}.v1+json`, '/api/v1/products'],
  ['/api/products', V2, '/api/v2/products'],
  ['/api/products?sort=price:asc&limit=5', V2, '/api/v2/products?sort=price:asc&limit=5'],
  ['/api/', V2, '/api/v2/'],
  ['/api/version', V2, '/api/v2/version'],
  ['/api/v1x', undefined, '/api/v1/v1x'],
  // The header accepts no type that is served, so the routes of the default version answer 406.
  ['/api/products', `application/vnd.${PRODUCT.slug}.v9+json`, '/api/v1/products'],
  ['/api/products', 'text/html', '/api/v1/products'],
  ['/api/products', 'garbage;;,', '/api/v1/products'],
])('routes %s, which has no version, by Accept %s to %s', (url, accept, routed) => {
  expect(route(url, accept)).toBe(routed);
});

describe('routing by version', () => {
  test.each([
    ['/api/v1/products'],
    ['/api/v2/products'],
    ['/api/v10/products'],
    ['/api'],
    ['/apis/products'],
    ['/docs/openapi.json'],
    ['*'],
    [''],
  ])('leaves the path %s as it is, whatever Accept says', (url) => {
    expect(route(url, V2)).toBe(url);
  });

  test('returns an empty path for a request without a URL', () => {
    expect(route(undefined)).toBe('');
  });
});
