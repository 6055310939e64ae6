import { IncomingMessage } from 'node:http';

import { toOriginForm, routableUrl } from './target.js';

describe('the path of a request target', () => {
  test.each([
    ['http://example.com/api/v1/products', '/api/v1/products'],
    ['https://example.com:8443/api/v1/products?page=2&sort=id:asc', '/api/v1/products?page=2&sort=id:asc'],
    ['HTTP://[::1]:3000/health/live', '/health/live'],
    ['http://example.com', '/'],
    ['http://example.com?page=2', '/?page=2'],
    ['http://example.com//other.example/a', '//other.example/a'],
  ])('is read from the absolute form: %s is %s', (target, path) => {
    expect(toOriginForm(target)).toBe(path);
  });

  test.each(['/a#b', '/a?b=c#d', '/#'])('is not found in a target with a fragment: %p', (target) => {
    expect(routableUrl({ url: target } as IncomingMessage, ({ url }) => url ?? '')).toBe('/%25');
  });

  test.each([
    'http://example.com/a#b',
    'http:///a',
    'http://',
    'http://user@host/a',
    'ftp://example.com/a',
    'example.com:80',
    'a/b',
    '',
  ])('is not found in a target that is not valid: %p', (target) => {
    expect(toOriginForm(target)).toBeUndefined();
    expect(routableUrl({ url: target } as IncomingMessage, ({ url }) => url ?? '')).toBe('/%25');
  });
});
