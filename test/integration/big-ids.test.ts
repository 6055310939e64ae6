import { Product } from '../../src/products/product.entity.js';
import { Database } from '../../packages/core/src/database/database.js';
import { dataOf, errorOf, Member, useShop } from '../support/shop.js';
import { useInProcess } from '../support/own-app.js';

/** An id shortly before the largest one that JSON holds exactly. The tests create fewer rows than that. */
const MAX = Number.MAX_SAFE_INTEGER;
const FIRST = MAX - 10_000;
const TABLES = [
  'users',
  'logins',
  'api_keys',
  'access_grants',
  'products',
  'orders',
  'order_items',
  'reviews',
];

interface WithId {
  readonly id: number;
}

describe('ids beyond 32 bits', () => {
  const app = useInProcess();

  beforeAll(async () => {
    for (const table of TABLES) await app.query(`alter table ${table} alter id restart with ${FIRST}`);
  });

  const shop = useShop(app);
  let customer: Member;
  let lamp: number;

  beforeAll(async () => {
    customer = await shop.member();
    lamp = await shop.product(10, { category: 'big' });
  });

  const ids = async (path: string): Promise<number[]> =>
    dataOf<WithId>(await shop.admin.get(path)).map(({ id }) => id);

  it('are numbers that find rows for reading, changing, filtering, searching and deleting', async () => {
    expect([lamp >= FIRST, customer.id >= FIRST]).toEqual([true, true]);
    const path = `/api/v1/products/${lamp}`;
    expect((await shop.admin.get(path)).body).toMatchObject({ id: lamp });
    expect((await shop.admin.patch(path, { price: 11 })).body).toMatchObject({ id: lamp, price: 11 });
    expect(await ids(`/api/v1/products?id=${lamp}`)).toEqual([lamp]);
    expect(await ids('/api/v1/products?category=big')).toEqual([lamp]);
    const other = await shop.product(1);
    expect((await shop.admin.delete(`/api/v1/products/${other}`)).status).toBe(204);
    expect((await shop.admin.get(`/api/v1/products/${other}`)).status).toBe(404);
  });

  it('are not confused with the next smaller or larger id', async () => {
    const neighbour = await shop.product(2);
    expect((await shop.admin.get(`/api/v1/products/${neighbour}`)).body).toMatchObject({ id: neighbour });
    expect(errorOf(await shop.admin.get(`/api/v1/products/${neighbour + 1}`))).toBe('404 PRODUCT_NOT_FOUND');
  });

  it('link orders, items, reviews, logins and keys to the rows that they belong to', async () => {
    const { id: orderId, items } = await shop.order(customer, [lamp, 2]);
    expect(items).toMatchObject([{ productId: lamp, quantity: 2 }]);
    expect(await ids(`/api/v1/order-items?orderId=${orderId}&productId=${lamp}`)).toEqual(
      items.map(({ id }) => id),
    );
    const review = await customer.client.post(`/api/v2/products/${lamp}/reviews`, { rating: 4 });
    expect(review.body).toMatchObject({ productId: lamp, userId: customer.id, author: { id: customer.id } });
    expect((await shop.admin.get(`/api/v2/products/${lamp}`)).body).toMatchObject({
      rating: 4,
      reviewCount: 1,
    });
    const key = await customer.client.post('/api/v1/api-keys', { name: 'k', permissions: ['read'] });
    expect(key.body).toMatchObject({ userId: customer.id });
    const byKey = app.anonymous.with({ 'x-api-key': (key.body as { key: string }).key });
    expect((await byKey.get('/api/v1/users/me')).body).toMatchObject({ id: customer.id });
    expect(dataOf(await customer.client.get('/api/v1/sessions'))).toMatchObject([{ current: true }]);
  });

  it('work in cursors, which skip no row', async () => {
    for (let i = 0; i < 4; i++) await shop.product(5, { category: 'walked' });
    const walked: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const path = `/api/v1/products?category=walked&sort=id:asc&limit=1&cursor=${cursor}`;
      const page = await shop.admin.get(path);
      walked.push(...dataOf<WithId>(page).map(({ id }) => id));
      cursor = (page.body as { pagination: { nextCursor: string | null } }).pagination.nextCursor;
    }
    expect(walked).toHaveLength(4);
    expect(walked).toEqual([...new Set(walked)].sort((a, b) => a - b));
  });

  it('work in batches and exports', async () => {
    const operations = [{ method: 'update', id: lamp, body: { price: 12 } }];
    const { body } = await shop.admin.post('/api/v1/products/batch', { operations });
    expect(body).toMatchObject({ results: [{ status: 200, body: { id: lamp } }] });
    const csv = await shop.admin.with({ accept: 'text/csv' }).get('/api/v1/products?category=big');
    expect(csv.text).toContain(`\n${lamp},`);
  });

  it('work in grants that deny', async () => {
    const hidden = await shop.product(3);
    await shop.admin.post('/api/v1/access-grants', {
      ...{ resourceType: 'product', resourceId: hidden, userId: customer.id },
      ...{ permissions: ['read'], effect: 'deny' },
    });
    expect((await customer.client.get(`/api/v1/products/${hidden}`)).status).toBe(403);
    const listed = dataOf<WithId>(await customer.client.get('/api/v1/products?limit=100'));
    expect(listed.map(({ id }) => id)).not.toContain(hidden);
  });

  it.each([
    ['a path', '404 PRODUCT_NOT_FOUND', () => shop.admin.get(`/api/v1/products/${MAX + 1}`)],
    [
      'a grant',
      '422 UNPROCESSABLE_ENTITY',
      () =>
        shop.admin.post('/api/v1/access-grants', {
          ...{ resourceType: 'product', resourceId: MAX + 1, userId: customer.id },
          ...{ permissions: ['read'], effect: 'deny' },
        }),
    ],
    [
      'an order',
      '422 UNPROCESSABLE_ENTITY',
      () =>
        customer.client.post(`/api/v1/users/${customer.id}/orders`, {
          items: [{ productId: MAX + 1, quantity: 1 }],
        }),
    ],
  ])('cannot exceed what a number holds exactly, in %s', async (_, error, send) => {
    expect(errorOf(await send())).toBe(error);
  });

  it('are numbers in rows of TypeORM and of SQL statements, unless a number cannot hold them', async () => {
    const database = app.app.nest.get(Database);
    const products = database.manager.getRepository(Product);
    expect(await products.findOneByOrFail({ id: lamp })).toMatchObject({ id: lamp });
    const saved = await products.save(products.create({ name: 'Saved', price: 1, category: 'saved' }));
    expect(saved.id).toBeGreaterThan(FIRST);
    expect(await products.countBy({ id: saved.id })).toBe(1);
    await products.remove(saved);
    const text =
      'select id, count(*) as n, sum(id) as sum, $2::bigint as big from products where id = $1 group by id';
    expect(await database.query({ text, values: [lamp, '9007199254740993'] })).toEqual([
      { id: lamp, n: 1, sum: String(lamp), big: '9007199254740993' },
    ]);
    // Statements of TypeORM's manager return a bigint as text, as everywhere in TypeORM.
    expect(await database.manager.query('select 1::bigint as n')).toEqual([{ n: '1' }]);
  });
});
