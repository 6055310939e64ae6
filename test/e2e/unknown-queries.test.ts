import { useApp, useClient } from '../support/app.js';
import { errorOf } from '../support/products.js';

const app = useApp();
const admin = useClient(app, 'admin');

describe('unknown query parameters', () => {
  test.each([
    ['GET', '/api/v1/products/1'],
    ['HEAD', '/api/v1/products/1'],
    ['GET', '/api/v2/users/me'],
    ['GET', '/api/users/me'],
    ['PATCH', '/api/v1/products/1'],
    ['DELETE', '/api/v1/orders/1/nothing'],
    ['POST', '/api/v1/products'],
    ['POST', '/api/v1/login'],
    ['POST', '/api/v1/logout'],
    ['DELETE', '/api/v1/api-keys/1'],
  ])('are refused by %s %s', async (method, path) => {
    const body = method === 'GET' || method === 'HEAD' || method === 'DELETE' ? undefined : {};
    const answer = await admin.request(method, `${path}?fields=id`, { body });
    if (path.endsWith('nothing')) expect(answer.status).toBe(404);
    else if (method === 'HEAD') expect(answer.status).toBe(400);
    else {
      expect(errorOf(answer)).toBe('400 INVALID_QUERY');
      expect(answer.text).toContain('"field":"fields","code":"UNKNOWN_FIELD"');
    }
  });

  test('are refused after authentication and before any look-up', async () => {
    expect((await app.anonymous.get('/api/v1/users/me?x=1')).status).toBe(401);
    expect(errorOf(await admin.get('/api/v1/products/99999999?x=1'))).toBe('400 INVALID_QUERY');
  });

  test('do not include an empty query', async () => {
    expect((await admin.get('/api/v1/users/me?')).status).toBe(200);
    expect((await admin.get('/api/v1/users/me?&')).status).toBe(200);
  });

  test.each(['%ZZ=1', 'a=%ff'])('are refused if they are malformed: %s', async (text) => {
    expect(errorOf(await admin.get(`/api/v1/users/me?${text}`))).toBe('400 INVALID_QUERY');
  });

  test('are listed in the message up to a limit', async () => {
    const text = Array.from({ length: 1_500 }, (_, i) => `${i}=`).join('&');
    for (const path of ['/api/v1/users/me', '/api/v1/products']) {
      const answer = await admin.get(`${path}?${text}`);
      expect(errorOf(answer)).toBe('400 INVALID_QUERY');
      expect((answer.body as { error: { details: unknown[] } }).error.details).toHaveLength(100);
      expect(answer.text.length).toBeLessThan(64 * 1024);
    }
  });

  test('are ignored outside of /api', async () => {
    expect((await app.anonymous.get('/health/live?probe=1')).status).toBe(200);
  });
});

test.each([
  ['/api/v1/products/1/reviews', 'productId', 'q, userId, rating, minRating'],
  ['/api/v2/users/1/orders', 'userId', 'status, minTotal, maxTotal'],
  ['/api/v1/users/1/orders/1/items', 'orderId', 'productId'],
  ['/api/v1/users/1/orders', 'id', 'status, minTotal, maxTotal'],
])('the list %s has no filter for the parent in its path: %s', async (path, filter, others) => {
  const { status, body } = await admin.get(`${path}?${filter}=1`);
  const all = `${others}, createdFrom, createdBefore, sort, page, limit, cursor`;
  expect([status, body]).toEqual([
    400,
    {
      error: expect.objectContaining({
        code: 'INVALID_QUERY',
        details: [{ field: filter, code: 'UNKNOWN_FIELD', message: `is unknown; there are ${all}` }],
      }),
    },
  ]);
});
