import { Client } from '@plinth/dev/testing';

import { startApp, TestApp } from '../support/app.js';
import { idsOf, linksOf, listingIn, listPath } from '../support/lists.js';
import { createProduct, errorOf, faultsOf, uniqueCategory } from '../support/products.js';
import { Shop } from '../support/shop.js';

const LISTS = [
  'products',
  'users',
  'orders',
  'order-items',
  'reviews',
  'api-keys',
  'sessions',
  'access-grants',
];

describe('common parameters of lists', () => {
  let app: TestApp;
  let admin: Client;
  let ids: number[];
  const category = uniqueCategory('parameters');

  beforeAll(async () => {
    app = await startApp();
    admin = await app.as('admin');
    const rows = await app.query<{ id: number }>(
      `insert into products (name, price, category, created_at)
       select repeat('Ф', 190) || n, n, $1, timestamptz '2026-01-01' + n * interval '1 ms' from generate_series(1, 5) n
       returning id`,
      [category],
    );
    ids = rows.map(({ id }) => id).sort((a, b) => a - b);
  });
  afterAll(() => app.stop());

  describe.each(LISTS)('%s', (name) => {
    it.each([
      '00+16:00',
      '00+23:59',
      '00-23:59',
      '00',
      '00.123456Z',
      '00.1234567+02:00',
      '00.123456789Z',
      '00.1z',
    ])('accept times of RFC 3339 that end in :%s', async (end) => {
      const time = `2024-01-01T00:00:${end}`;
      for (const parameter of ['createdFrom', 'createdBefore'])
        expect((await admin.get(listPath({ [parameter]: time }, `/api/v1/${name}`))).status).toBe(200);
    });

    it.each(['id:asc', 'id:desc', 'createdAt:asc,id:desc', 'id:desc,createdAt:asc'])(
      'sort by %s in both styles of paging',
      async (sort) => {
        for (const style of [{ page: 1 }, { cursor: '' }])
          expect((await admin.get(listPath({ sort, ...style }, `/api/v1/${name}`))).status).toBe(200);
      },
    );
  });

  it('compare times to the millisecond, and read a time without an offset as UTC', async () => {
    const from = async (createdFrom: string): Promise<number[]> =>
      idsOf(listingIn(await admin.get(listPath({ category, createdFrom, sort: 'id:asc' }))));
    expect(await from('2026-01-01T00:00:00.004')).toEqual(ids.slice(3));
    expect(await from('2026-01-01T00:00:00.004999999Z')).toEqual(ids.slice(3));
    expect(await from('2026-01-01T23:59:00.005+23:59')).toEqual(ids.slice(4));
  });

  it('list all rows by id, in both styles of paging', async () => {
    const own = { category, sort: 'id:desc', limit: 2 };
    const byNumber = [1, 2, 3].map(async (page) =>
      idsOf(listingIn(await admin.get(listPath({ ...own, page })))),
    );
    expect((await Promise.all(byNumber)).flat()).toEqual(ids.toReversed());
    const walked: number[] = [];
    let next: string | undefined = listPath({ ...own, cursor: '' });
    for (let answer; next; next = linksOf(answer.headers)['next']) {
      answer = await admin.get(next);
      walked.push(...idsOf(listingIn(answer)));
    }
    expect(walked).toEqual(ids.toReversed());
  });

  it('continue a filter with a hundred values by a cursor that does not contain them', async () => {
    const others = Array.from({ length: 99 }, (_, i) => `category=another+category+of+many+${i}`).join('&');
    const path = `/api/v1/products?${others}&category=${encodeURIComponent(category)}&sort=name:asc&limit=2`;
    const first = listingIn(await admin.get(`${path}&cursor=`));
    expect(first.pagination.nextCursor!.length).toBeLessThan(1024);
    const second = listingIn(await admin.get(`${path}&cursor=${first.pagination.nextCursor}`));
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids.slice(0, 4));
  });

  it('answer 400 to a wrong type among the first of too many values', async () => {
    const many = 'id=1&'.repeat(101);
    const answers = [
      await admin.get(`/api/v1/products?${many}`),
      await admin.get(`/api/v1/products?id=x&${many}`),
    ];
    expect(answers.map(errorOf)).toEqual(['422 UNPROCESSABLE_ENTITY', '400 INVALID_QUERY']);
    expect(faultsOf(answers[1]!)).toEqual(['id WRONG_TYPE', 'id TOO_MANY']);
  });

  it('a body is answered with 400 for a wrong type among the first of too many items', async () => {
    const { product } = await createProduct(admin, { category });
    const item = { productId: product.id, quantity: 1 };
    const { id, client } = await (await Shop.in(app)).member();
    const order = (...items: unknown[]): Promise<unknown> =>
      client.post(`/api/v1/users/${id}/orders`, { items }).then(errorOf);
    const many = Array.from({ length: 101 }, () => item);
    expect(await order(...many)).toBe('422 UNPROCESSABLE_ENTITY');
    for (const first of ['x', null, { ...item, quantity: '1' }, { productId: 1 }, { ...item, more: 1 }])
      expect(await order(first, ...many)).toBe('400 VALIDATION_FAILED');
    const key = (...permissions: unknown[]): Promise<unknown> =>
      client.post('/api/v1/api-keys', { name: 'many', permissions }).then(errorOf);
    expect(await key(1, ...Array.from({ length: 200 }, () => 'read'))).toBe('400 VALIDATION_FAILED');
    const batch = (...operations: unknown[]): Promise<unknown> =>
      admin.post('/api/v1/products/batch', { operations }).then(errorOf);
    const remove = { method: 'delete', id: product.id };
    expect(await batch(...Array.from({ length: 101 }, () => remove))).toBe('422 UNPROCESSABLE_ENTITY');
    expect(await batch(1, ...Array.from({ length: 101 }, () => remove))).toBe('400 VALIDATION_FAILED');
  });
});
