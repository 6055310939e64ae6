import { Answer, Client } from '@plinth/dev/testing';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { startApp, TestApp, useApp } from '../support/app.js';
import { linksOf } from '../support/lists.js';
import { httpRequest } from '../support/plain-http.js';
import { createProduct, errorOf } from '../support/products.js';

const SUCCESSOR = 'successor-version';

/** A client of an administrator who logs in under v2, so that it works even if v1 is retired. */
async function adminOf(app: TestApp): Promise<Client> {
  const { email, password } = await app.user('admin');
  const login = await app.anonymous.post('/api/v2/login', { email, password });
  const { accessToken } = login.body as { accessToken: string };
  return app.anonymous.with({ authorization: `Bearer ${accessToken}` });
}

describe('a deprecated v1 with a date of retirement', () => {
  const app = useApp({
    API_V1_DEPRECATED_AT: '2026-01-01',
    API_V1_SUNSET_AT: '2126-07-01T12:00:00Z',
    DOCS: 'true',
  });
  let admin: Client;

  beforeAll(async () => {
    admin = await adminOf(app);
  });

  const announced = ({ headers }: Answer): (string | null | undefined)[] => [
    headers.get('deprecation'),
    headers.get('sunset'),
    linksOf(headers)[SUCCESSOR],
  ];

  it('announces both dates in every response, errors included', async () => {
    const { path, product } = await createProduct(admin);
    const unversioned = `/api/products/${product.id}`;
    const paths: [Answer, string][] = [
      [await admin.get(path), path],
      [await admin.head(path), path],
      [await admin.patch(path, {}), path],
      [await admin.put(path, { name: 'a', price: 1 }), path],
      [await admin.post('/api/v1/products', { name: 'a', price: 1, category: 'b' }), '/api/v1/products'],
      [await admin.get(path, { 'if-none-match': '*' }), path],
      [await admin.get(path, { 'if-match': '"other"' }), path],
      [await admin.get('/api/v1/products?limit=1&cursor='), '/api/v1/products?limit=1&cursor='],
      [await admin.get('/api/v1/products?limit=x'), '/api/v1/products?limit=x'],
      [await admin.get('/api/v1/products/0'), '/api/v1/products/0'],
      [await admin.get('/api/v1/nothing'), '/api/v1/nothing'],
      [await admin.post(path, {}), path],
      [await admin.request('OPTIONS', path), path],
      [await admin.get(path, { accept: 'text/html' }), path],
      [await app.anonymous.get(path), path],
      [await admin.put(path, 'no json'), path],
      [await admin.get(unversioned), path],
      [await admin.delete(path), path],
    ];
    expect(paths.map(([{ status }]) => status)).toEqual([
      200, 200, 200, 200, 201, 304, 412, 200, 400, 404, 404, 405, 204, 406, 401, 400, 200, 204,
    ]);
    for (const [answer, from] of paths) {
      const successor = from.replace('/v1', '/v2');
      expect(announced(answer)).toEqual(['@1767225600', 'Mon, 01 Jul 2126 12:00:00 GMT', successor]);
    }
  });

  it('links to its successor in addition to the pages of a list', async () => {
    const answer = await admin.get('/api/v1/products?limit=1&page=1');
    expect(linksOf(answer.headers)).toMatchObject({
      [SUCCESSOR]: '/api/v2/products?limit=1&page=1',
      first: '/api/v1/products?limit=1&page=1',
      last: expect.stringMatching(/^\/api\/v1\/products\?limit=1&page=\d+$/),
    });
    const current = await admin.get('/api/v1/products', { 'if-none-match': answer.headers.get('etag')! });
    expect(linksOf(current.headers)[SUCCESSOR]).toBe('/api/v2/products');
  });

  it('links to its successor correctly even if the client did not escape enough', async () => {
    const { headers } = await httpRequest(app.baseUrl, 'GET', '/api/v1/products?category=a>,<b"', {});
    expect(headers.link).toBe('</api/v2/products?category=a%3E,%3Cb%22>; rel="successor-version"');
  });

  it('does not affect v2, docs and health', async () => {
    const { path } = await createProduct(admin, {}, 'v2');
    const v2 = { accept: `application/vnd.${PRODUCT.slug}.v2+json` };
    const answers = [
      await admin.get(path),
      await admin.get('/api/v2/products'),
      await admin.get('/api/products', v2),
      await admin.get('/api/v2/nothing'),
      await admin.get('/health/live'),
      await admin.get('/docs/openapi.json'),
    ];
    for (const answer of answers) expect(announced(answer)).toEqual([null, null, undefined]);
  });
});

it('a deprecated v1 without a date of retirement sends no Sunset header', async () => {
  const app = await startApp({ API_V1_DEPRECATED_AT: '2026-01-01T00:00:00.999Z' });
  try {
    const { headers } = await app.anonymous.get('/api/v1/products');
    expect([headers.get('deprecation'), headers.get('sunset')]).toEqual(['@1767225600', null]);
    expect(linksOf(headers)[SUCCESSOR]).toBe('/api/v2/products');
  } finally {
    await app.stop();
  }
});

describe('a retired v1', () => {
  const app = useApp({ API_V1_DEPRECATED_AT: '2025-01-01', API_V1_SUNSET_AT: '2025-12-31' });
  let admin: Client;

  beforeAll(async () => {
    admin = await adminOf(app);
  });

  it('answers 410 and still links to its successor', async () => {
    const body = { name: 'a', price: 1, category: 'b' };
    const answers = [
      await admin.get('/api/v1/products'),
      await admin.get('/api/v1/products/1'),
      await admin.post('/api/v1/products', body),
      await admin.put('/api/v1/products/1', body),
      await admin.patch('/api/v1/products/1', body),
      await admin.delete('/api/v1/products/1'),
      await admin.post('/api/v1/login', {}),
      await app.anonymous.get('/api/v1/products'),
      await admin.get('/api/products'),
      await admin.get('/api/products', { accept: `application/vnd.${PRODUCT.slug}.v1+json` }),
    ];
    expect(answers.map(errorOf)).toEqual(answers.map(() => '410 API_VERSION_RETIRED'));
    for (const { headers } of answers) {
      expect(headers.get('sunset')).toBe('Wed, 31 Dec 2025 00:00:00 GMT');
      expect(headers.get('deprecation')).toBe('@1735689600');
      expect(linksOf(headers)[SUCCESSOR]).toMatch(/^\/api\/v2\//);
    }
    expect((await admin.head('/api/v1/products')).status).toBe(410);
  });

  it('does not affect v2', async () => {
    const { path } = await createProduct(admin, {}, 'v2');
    expect((await admin.get(path)).status).toBe(200);
    const unversioned = await admin.get('/api/products', {
      accept: `application/vnd.${PRODUCT.slug}.v2+json`,
    });
    expect(unversioned.status).toBe(200);
    expect((await admin.get('/health/live')).status).toBe(200);
  });
});
