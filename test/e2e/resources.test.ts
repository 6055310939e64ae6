import { randomUUID } from 'node:crypto';

import { useApp } from '../support/app.js';
import { dataOf, Member, useShop } from '../support/shop.js';
import { errorOf, validatorsOf } from '../support/products.js';

interface Case {
  readonly list: string;
  readonly body: object;
  readonly patch: object;
  readonly notFound: string;
}

describe('every resource that is written', () => {
  const app = useApp();
  const shop = useShop(app);
  let admin: Member;

  beforeAll(async () => {
    admin = await shop.member('admin');
  });

  const orders = (): string => `/users/${admin.id}/orders`;
  const line = async (): Promise<object> => ({ productId: await shop.product(1), quantity: 1 });
  const cases: Record<string, () => Promise<Case>> = {
    products: async () => ({
      list: '/products',
      body: { name: 'Lamp', price: 1, category: 'c' },
      patch: { price: 2 },
      notFound: 'PRODUCT_NOT_FOUND',
    }),
    users: async () => ({
      list: '/users',
      body: { email: `${randomUUID()}@example.com`, password: 'a password of the tests' },
      patch: { name: 'Ada' },
      notFound: 'USER_NOT_FOUND',
    }),
    orders: async () => ({
      list: orders(),
      body: { items: [await line()] },
      patch: { status: 'cancelled' },
      notFound: 'ORDER_NOT_FOUND',
    }),
    'order items': async () => {
      const { id } = await shop.order(admin, [await shop.product(1), 1]);
      return {
        list: `${orders()}/${id}/items`,
        body: await line(),
        patch: { quantity: 2 },
        notFound: 'ORDER_ITEM_NOT_FOUND',
      };
    },
    reviews: async () => ({
      list: `/products/${await shop.product(1)}/reviews`,
      body: { rating: 3 },
      patch: { rating: 4 },
      notFound: 'REVIEW_NOT_FOUND',
    }),
    'API keys': async () => ({
      list: '/api-keys',
      body: { name: 'key' },
      patch: { name: 'renamed' },
      notFound: 'API_KEY_NOT_FOUND',
    }),
  };

  it.each(Object.keys(cases).flatMap((name) => ['v1', 'v2'].map((version) => [name, version] as const)))(
    'has a location, validators, preconditions and 404: %s of %s',
    async (name, version) => {
      const { list, body, patch, notFound } = await cases[name]!();
      const { client } = admin;
      const created = await client.post(`/api/${version}${list}`, body);
      const { id } = created.body as { id: number };
      const path = `/api/${version}${list}/${id}`;
      expect([created.status, created.headers.get('location')]).toEqual([201, path]);
      const read = await client.get(path);
      expect(created.body).toMatchObject(read.body as object);
      expect(validatorsOf(read)).toEqual(validatorsOf(created));
      const { etag } = validatorsOf(read);
      expect(etag).toMatch(/^"[^"]+"$/);
      expect((await client.get(path, { 'if-none-match': etag })).status).toBe(304);
      // Version 2 shows the tag, and accepts it back.
      const shown = version === 'v2' ? { etag } : {};
      const listed = dataOf<{ id: number }>(await client.get(`/api/${version}${list}?limit=100`));
      for (const row of [created.body, read.body, listed.find((one) => one.id === id)])
        expect((row as typeof shown).etag).toBe(shown.etag);

      expect(validatorsOf(await client.patch(path, shown)).etag).toBe(etag);
      const patched = await client.patch(path, patch, { 'if-match': etag });
      expect((patched.body as typeof shown).etag).toBe(shown.etag && validatorsOf(patched).etag);
      expect([patched.status, patched.body]).toMatchObject([200, patch]);
      expect(validatorsOf(patched).etag).not.toBe(etag);
      const stale = [
        await client.patch(path, patch, { 'if-match': etag }),
        await client.delete(path, { 'if-match': etag }),
      ];
      expect(stale.map(errorOf)).toEqual(stale.map(() => '412 PRECONDITION_FAILED'));

      const removed = await client.delete(path);
      expect([removed.status, removed.text]).toEqual([204, '']);
      const beyond = [path, path.replace(/\d+$/, '0'), path.replace(/\d+$/, '9'.repeat(20))];
      for (const gone of beyond) {
        const answers = [await client.get(gone), await client.patch(gone, patch), await client.delete(gone)];
        expect(answers.map(errorOf)).toEqual(answers.map(() => `404 ${notFound}`));
      }
    },
  );

  it.each(['sessions', 'access-grants'])('shows entity tags in version 2: %s', async (name) => {
    const { id: userId, client } = admin;
    const grant = { resourceType: 'product', resourceId: await shop.product(1), userId };
    await client.post('/api/v1/access-grants', { ...grant, permissions: ['read'], effect: 'allow' });
    const rows = dataOf<{ id: number; etag: string }>(await client.get(`/api/v2/${name}`));
    expect(rows).not.toEqual([]);
    for (const { id, etag } of rows) {
      const read = await client.get(`/api/v2/${name}/${id}`);
      expect([read.body, validatorsOf(read).etag]).toMatchObject([{ etag }, etag]);
    }
    expect(dataOf(await client.get(`/api/v1/${name}`))[0]).not.toHaveProperty('etag');
  });
});
