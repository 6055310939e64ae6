import { Client } from '@plinth/dev/testing';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { useApp } from '../support/app.js';
import { headersToCompare, httpRequest } from '../support/plain-http.js';
import { createProduct, errorOf, productIn, uniqueCategory, validatorsOf } from '../support/products.js';

const V2 = { accept: `application/vnd.${PRODUCT.slug}.v2+json` };

/** The version that answered, by the fields of a product. */
const versionOf = (answer: { body: unknown }): number => ('currency' in (answer.body as object) ? 2 : 1);

describe('versions', () => {
  const app = useApp();
  let admin: Client;
  let token: string;

  beforeAll(async () => {
    const { email, password } = await app.user('admin');
    const login = await app.anonymous.post('/api/v2/login', { email, password });
    token = `Bearer ${(login.body as { accessToken: string }).accessToken}`;
    admin = app.anonymous.with({ authorization: token });
  });

  const plain = (
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ): ReturnType<typeof httpRequest> =>
    httpRequest(app.baseUrl, method, path, { authorization: token, ...headers });

  it.each([
    ['v1', {}],
    ['v2', V2],
  ])('serve a path without a version as %s for every method, by Accept', async (version, accept) => {
    const client = admin.with(accept);
    const isV2 = version === 'v2';
    const body = {
      name: 'Stool',
      price: 3,
      category: 'seats',
      ...(isV2 && { description: 'Three legs.' }),
    };
    const created = await client.post('/api/products', body);
    expect(created.status).toBe(201);
    expect(versionOf(created)).toBe(isV2 ? 2 : 1);
    const path = `/api/products/${productIn(created).id}`;
    const versioned = path.replace('/api', `/api/${version}`);
    expect(created.headers.get('location')).toBe(versioned);

    const read = await client.get(path);
    expect(read.body).toEqual(created.body);
    expect(validatorsOf(read)).toEqual(validatorsOf(await admin.get(versioned)));
    expect(headersToCompare((await client.head(path)).headers)).toEqual(headersToCompare(read.headers));
    expect((await client.get(path, { 'if-none-match': validatorsOf(read).etag })).status).toBe(304);

    const replaced = await client.put(path, { name: 'Bench', price: 4 });
    expect([replaced.status, versionOf(replaced)]).toEqual([200, isV2 ? 2 : 1]);
    const patched = await client.patch(path, { name: 'Pew' }, { 'if-match': validatorsOf(replaced).etag });
    expect(patched.body).toMatchObject({ name: 'Pew', price: 4 });
    const list = await client.get('/api/products?limit=1');
    expect(versionOf({ body: (list.body as { data: object[] }).data[0] })).toBe(isV2 ? 2 : 1);
    expect((await client.request('OPTIONS', path)).status).toBe(204);
    expect((await client.delete(path)).status).toBe(204);
    expect(errorOf(await client.get(path))).toBe('404 PRODUCT_NOT_FOUND');
  });

  describe('Accept', () => {
    let id: number;
    beforeAll(async () => {
      id = (await createProduct(admin)).product.id;
    });

    it.each([
      [undefined, 1],
      ['application/json', 1],
      [`application/vnd.${PRODUCT.slug}.v2+json`, 2],
      ['text/html', 406],
      [`application/vnd.${PRODUCT.slug}.v3+json`, 406],
    ] as const)('answers %j with %s on a path without a version', async (accept, expected) => {
      const answer = await plain('GET', `/api/products/${id}`, accept === undefined ? {} : { accept });
      expect(answer.headers['content-type']).toBe('application/json');
      if (expected === 406) expect(errorOf(answer)).toBe('406 NOT_ACCEPTABLE');
      else expect([answer.status, versionOf(answer)]).toEqual([200, expected]);
    });

    it.each([
      ['v1', `application/vnd.${PRODUCT.slug}.v1+json`, 200],
      ['v2', `application/vnd.${PRODUCT.slug}.v2+json`, 200],
      ['v1', `application/vnd.${PRODUCT.slug}.v2+json`, 406],
      ['v2', `application/vnd.${PRODUCT.slug}.v1+json`, 406],
      ['v1', `application/vnd.${PRODUCT.slug}.v3+json`, 406],
      ['v1', 'text/html', 406],
    ])('answers, on a path of %s, %s with %i', async (version, accept, status) => {
      const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'];
      for (const method of status === 406 ? methods : ['GET', 'HEAD']) {
        const answer = await plain(method, `/api/${version}/products/${id}`, { accept });
        expect(answer.status).toBe(status);
        if (method !== 'HEAD' && status === 406) expect(errorOf(answer)).toBe('406 NOT_ACCEPTABLE');
      }
      expect((await admin.get(`/api/v1/products/${id}`)).status).toBe(200);
    });
  });

  it.each([
    ['a product', '/api/v1/products/:id', 200],
    ['a product of v2', '/api/v2/products/:id', 200],
    ['a list', '/api/v1/products?limit=2&category=:category', 200],
    ['a cursor page', '/api/v2/products?limit=2&category=:category&cursor=', 200],
    ['nothing', '/api/v1/products/0', 404],
    ['a bad id', '/api/v1/products/x', 400],
    ['an unknown path', '/api/v1/nothing', 404],
    ['a bad query', '/api/v1/products?sort=colour:asc', 400],
  ])('answer HEAD like GET, without the body: %s', async (_, template, status) => {
    // Other tests create and delete products meanwhile.
    const category = uniqueCategory('compared');
    const { product } = await createProduct(admin, { category });
    const path = template
      .replace(':id', String(product.id))
      .replace(':category', encodeURIComponent(category));
    const get = await plain('GET', path);
    const head = await plain('HEAD', path);
    expect([get.status, head.status]).toEqual([status, status]);
    expect(head.text).toBe('');
    expect(get.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
    expect(headersToCompare(head.headers)).toEqual(headersToCompare(get.headers));
  });

  describe('methods', () => {
    const ITEM = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'PUT'];
    const COLLECTION = ['GET', 'HEAD', 'OPTIONS', 'POST'];
    const allowed = (value: string | null | undefined): string[] => (value ?? '').split(', ').sort();

    it.each([
      ['/api/v1/products', COLLECTION],
      ['/api/v2/products', COLLECTION],
      ['/api/products?page=1', COLLECTION],
      ['/api/v1/products/1', ITEM],
      ['/api/v2/products/0', ITEM],
      ['/api/products/1', ITEM],
    ])('answers OPTIONS %s with 204 and Allow', async (path, methods) => {
      const answer = await app.anonymous.request('OPTIONS', path);
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(allowed(answer.headers.get('allow'))).toEqual(methods);
    });

    it.each([
      ...['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE', 'PURGE', 'LINK'].map(
        (method) => [method, '/api/v1/products', COLLECTION] as const,
      ),
      ...['POST', 'PROPFIND', 'TRACE', 'LOCK', 'MKCOL', 'SEARCH', 'REPORT'].map(
        (method) => [method, '/api/v2/products/1', ITEM] as const,
      ),
      ['POST', '/api/products/1', ITEM],
      ['DELETE', '/api/products', COLLECTION],
      ['GET', '/api/v1/login', ['OPTIONS', 'POST']],
    ] as const)('answers %s %s with 405 and Allow', async (method, path, methods) => {
      for (const headers of [{}, { authorization: 'Bearer no' }] as Record<string, string>[]) {
        const answer = await plain(method, path, headers);
        expect(errorOf(answer)).toBe('405 METHOD_NOT_ALLOWED');
        expect(allowed(answer.headers['allow'])).toEqual(methods);
      }
    });

    it.each([
      ['GET', '/nothing'],
      ['GET', '/api/v1/nothing'],
      ['GET', '/api/v3/products'],
      ['GET', '/api/v01/products'],
      ['GET', '/API/v1/products'],
      ['GET', '/api/v1/Products'],
      ['GET', '/api/v1/products/1/nothing'],
      ['GET', '/api/v1//products'],
      ['POST', '/api/nothing'],
      ['OPTIONS', '/api/v1/nothing'],
      ['PROPFIND', '/nothing'],
      ['TRACE', '/nothing'],
    ])('answers %s %s with 404', async (method, path) => {
      const answer = await plain(method, path);
      expect(errorOf(answer)).toBe('404 ROUTE_NOT_FOUND');
      expect(answer.headers).not.toHaveProperty('allow');
    });
  });
});
