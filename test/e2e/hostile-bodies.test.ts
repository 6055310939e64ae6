import { useApp, useClient } from '../support/app.js';
import { errorOf } from '../support/products.js';

const KIB = 1024;

const app = useApp();
const admin = useClient(app, 'admin');

const record = (length: number): object => Object.fromEntries(Array.from({ length }, (_, i) => [`k${i}`, i]));

describe('paths that need no credentials', () => {
  const PATHS = [
    '/api/v1/login',
    '/login',
    '/api/v2/login',
    '/api/v1/auth/refresh',
    '/auth/refresh',
    '/api/v1/users',
  ];
  const bodyOf = (bytes: number): string => `{"email":"${'a'.repeat(bytes - 12)}"}`;

  test.each(PATHS)('accept a body of 16 KiB: %s', async (path) => {
    expect((await app.anonymous.post(path, bodyOf(16 * KIB))).status).not.toBe(413);
  });

  test.each(PATHS)('answer 413 to a body of one more byte, whoever calls: %s', async (path) => {
    for (const client of [app.anonymous, admin]) {
      expect(errorOf(await client.post(path, bodyOf(16 * KIB + 1)))).toBe('413 PAYLOAD_TOO_LARGE');
    }
  });
});

describe('a body with Content-Encoding', () => {
  test.each(['gzip', 'br', 'deflate', 'x', 'gzip, identity', ''])(
    'is refused with 415 if it is compressed: %s',
    async (encoding) => {
      const headers = { 'content-encoding': encoding };
      const answer = await admin.post('/api/v1/products', { name: 'x', price: 1, category: 'x' }, headers);
      expect(errorOf(answer)).toBe('415 UNSUPPORTED_MEDIA_TYPE');
      expect(answer.headers.get('accept-encoding')).toBe('identity');
    },
  );

  test.each(['identity', 'Identity'])('is accepted if the encoding is %s', async (encoding) => {
    const headers = { 'content-encoding': encoding };
    const answer = await admin.post('/api/v1/products', { name: 'x', price: 1, category: 'x' }, headers);
    expect(answer.status).toBe(201);
  });
});

describe('an id at the end of the range of ids, or beyond', () => {
  test.each(['userId', 'resourceId', 'apiKeyId'])('is refused with 422 in %s of a grant', async (field) => {
    const grant = { resourceType: 'product', resourceId: 1, permissions: ['read'], effect: 'deny' };
    const target = field === 'apiKeyId' ? {} : { userId: 1 };
    const answer = await admin.post('/api/v1/access-grants', { ...grant, ...target, [field]: 2 ** 53 });
    expect(errorOf(answer)).toBe('422 UNPROCESSABLE_ENTITY');
    expect(answer.text).toContain(`"field":"${field}","code":"TOO_LARGE"`);
  });

  test('is refused like that of an unknown product in an ordered item', async () => {
    const items = [{ productId: Number.MAX_SAFE_INTEGER, quantity: 1 }];
    const { id } = (await admin.get('/api/v1/users/me')).body as { id: number };
    const answer = await admin.post(`/api/v1/users/${id}/orders`, { items });
    expect(errorOf(answer)).toBe('422 UNPROCESSABLE_ENTITY');
    expect(answer.text).toContain('"field":"items.0.productId","code":"PRODUCT_NOT_FOUND"');
  });
});

test('refuses a body with more than 20,000 values', async () => {
  const answer = await admin.post('/api/v1/products', { name: record(20_000), price: 1 });
  expect(errorOf(answer)).toBe('400 INVALID_JSON');
  expect(answer.text).toContain('The body must have at most 20000 values.');
});
