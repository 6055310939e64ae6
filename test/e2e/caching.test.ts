import { useApp, useClient } from '../support/app.js';
import { createProduct } from '../support/products.js';

const PRIVATE = 'private, no-cache';
const PUBLIC = 'public, max-age=30, must-revalidate';

describe('Cache-Control', () => {
  const app = useApp();
  const admin = useClient(app, 'admin');

  it('requires callers with credentials to revalidate every response that may be stored', async () => {
    const { path, etag, product } = await createProduct(admin);
    const me = (await admin.get('/api/v1/users/me')).body as { id: number };
    const orders = `/api/v1/users/${me.id}/orders`;
    const order = await admin.post(orders, { items: [{ productId: product.id, quantity: 1 }] });
    const review = await admin.post(`${path}/reviews`, { rating: 5 });
    const csv = { accept: 'text/csv' };
    const answers = [
      order,
      review,
      await admin.get(path),
      await admin.head(path),
      await admin.get(path.replace('v1', 'v2')),
      await admin.get('/api/v1/products?limit=1'),
      await admin.get('/api/v2/products?limit=1&cursor='),
      await admin.get(`/api/v1/products?id=${product.id}`, csv),
      await admin.get('/api/v1/products/facets'),
      await admin.get(path, { 'if-none-match': etag }),
      await admin.get('/api/v1/reviews?limit=1'),
      await admin.get(`${path}/reviews`),
      await admin.get(review.headers.get('location') ?? ''),
      await admin.get(orders),
      await admin.get(order.headers.get('location') ?? ''),
      await admin.get('/api/v1/users?limit=1'),
      await admin.get('/api/v1/access-grants'),
      await admin.post('/api/v1/products', { name: 'a', price: 1, category: 'b' }),
      await admin.put(path, { name: 'a', price: 1 }),
      await admin.patch(path, { name: 'b' }),
      await admin.delete(path),
    ];
    for (const { status, headers } of answers)
      expect([status < 400, headers.get('cache-control')]).toEqual([true, PRIVATE]);
  });

  it('is private, no-cache or no-store with credentials on every route of the API', async () => {
    const caches = Object.entries(await app.policies())
      .filter(([route]) => route.includes(' /api/'))
      .map(([route, { cache }]) => [route, cache?.withCredentials ?? PRIVATE]);
    expect(caches.length).toBeGreaterThan(100);
    expect(caches.filter(([, sent]) => sent !== PRIVATE && sent !== 'no-store')).toEqual([]);
  });

  it('forbids storing an error or a login', async () => {
    const { path } = await createProduct(admin);
    const { email, password } = await app.user('viewer');
    const answers = [
      await admin.get('/api/v1/products/0'),
      await admin.get('/api/v1/nothing'),
      await admin.get('/api/v1/products/x'),
      await admin.get('/api/v1/products?limit=x'),
      await admin.get(path, { 'if-match': '"other"' }),
      await admin.patch(path, { price: -1 }),
      await app.anonymous.get(path),
      await admin.get(path, { accept: 'text/html' }),
      await app.anonymous.post('/api/v1/login', { email, password }),
      await app.anonymous.post('/login', { email, password: 'wrong password' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 400, 400, 412, 422, 401, 406, 200, 401]);
    for (const { headers } of answers) {
      expect([headers.get('cache-control'), headers.get('etag')]).toEqual(['no-store', null]);
    }
  });
});

describe('Cache-Control with ANONYMOUS_ROLE', () => {
  const app = useApp({ ANONYMOUS_ROLE: 'viewer', CORS_ORIGINS: 'https://shop.example' });
  const admin = useClient(app, 'admin');

  it('lets shared caches store what everybody may read', async () => {
    const { path, product, etag } = await createProduct(admin);
    const read = await app.anonymous.get(path);
    expect([read.status, read.body, read.headers.get('etag')]).toEqual([200, product, etag]);
    const answers = [
      read,
      await app.anonymous.head(path),
      await app.anonymous.get(path, { 'if-none-match': etag }),
      await app.anonymous.get('/api/v1/products'),
      await app.anonymous.get('/api/v2/products?cursor='),
      await app.anonymous.get(`/api/v1/products?id=${product.id}`, { accept: 'text/csv' }),
      await app.anonymous.get('/api/v1/products/facets'),
      await app.anonymous.get('/api/v1/reviews'),
      await app.anonymous.get(`${path}/reviews`),
    ];
    for (const { headers } of answers) expect(headers.get('cache-control')).toBe(PUBLIC);
  });

  it('lets shared caches store responses to a visitor with unrelated cookies', async () => {
    const { path } = await createProduct(admin);
    const { headers } = await app.anonymous.get(path, { cookie: 'theme=dark; session_identity=1' });
    expect(headers.get('cache-control')).toBe(PUBLIC);
    expect(headers.get('vary')).toContain('Cookie');
  });

  it('forbids shared caches to store responses to requests with credentials of any kind', async () => {
    const { path } = await createProduct(admin);
    expect((await admin.get(path)).headers.get('cache-control')).toBe(PRIVATE);
    expect((await admin.get('/api/v1/products')).headers.get('cache-control')).toBe(PRIVATE);
    for (const headers of [{ 'x-api-key': 'a' }, { cookie: 'session_id=a' }] as Record<string, string>[]) {
      // A shared cache must not store the response, whether the credentials are accepted or refused.
      const answer = await app.anonymous.get(path, headers);
      expect([PRIVATE, 'no-store']).toContain(answer.headers.get('cache-control'));
    }
    const refused = await app.anonymous.get(path, { authorization: 'Bearer no' });
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([401, 'no-store']);
    const missing = await app.anonymous.get('/api/v1/products/0');
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  it('lists in Vary all headers that a response depends on', async () => {
    const { path } = await createProduct(admin);
    const varies = async (headers?: Record<string, string>): Promise<string[]> => {
      const answer = await app.anonymous.get(path, headers);
      return (answer.headers.get('vary') ?? '').split(/, */).sort();
    };
    const all = ['Accept', 'Authorization', 'Cookie', 'Origin', 'X-API-Key'];
    expect(await varies()).toEqual(all);
    expect(await varies({ origin: 'https://shop.example' })).toEqual(all);
    expect(await varies({ origin: 'https://other.example' })).toEqual(all);
  });
});
