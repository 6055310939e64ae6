import { get, IncomingMessage } from 'node:http';

import { eventually } from '@plinth/dev/testing';

import { useApp } from '../support/app.js';
import { errorOf, uniqueCategory } from '../support/products.js';
import { dataOf, useShop } from '../support/shop.js';

const CSV = { accept: 'text/csv' };
const linesOf = (text: string): string[] => text.split('\r\n').slice(0, -1);

describe('a list as CSV', () => {
  const app = useApp({ DATABASE_POOL_SIZE: '8' });
  const shop = useShop(app);
  let category: string;
  let path: string;

  beforeAll(async () => {
    category = uniqueCategory('csv');
    path = `/api/v1/products?category=${encodeURIComponent(category)}&sort=price:desc`;
    await app.query(
      `insert into products (name, price, category, description)
       select 'Lamp ' || i, i, $1, repeat('x', 1000) from generate_series(1, 250) i`,
      [category],
    );
  });

  it('has every matching row in the order of the sort, with the fields of JSON', async () => {
    const answer = await shop.admin.get(path, CSV);
    const lines = linesOf(answer.text);
    expect(lines[0]).toBe('id,name,price,inStock,category,rating,createdAt,updatedAt');
    expect(lines.slice(1).map((line) => line.split(',')[2])).toEqual(
      Array.from({ length: 250 }, (_, i) => String(250 - i)),
    );
    const [first] = dataOf<object>(await shop.admin.get(path));
    expect(lines[1]).toBe(
      Object.values(first!)
        .map((value) => (value === null ? '' : String(value)))
        .join(','),
    );
    const headers = ['content-type', 'content-disposition', 'link', 'etag'].map((name) =>
      answer.headers.get(name),
    );
    const disposition = 'attachment; filename="products.csv"';
    expect(headers).toEqual(['text/csv; charset=utf-8; header=present', disposition, null, null]);
    expect(answer.headers.get('vary')).toContain('Accept');
  });

  it.each([
    ['*/*', 'application/json'],
    ['text/csv;q=0.5, application/json', 'application/json'],
    ['text/*', 'text/csv; charset=utf-8; header=present'],
  ])('is not the default: Accept %s is answered with %s', async (accept, type) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await shop.admin.request(method, path, { headers: { accept } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    }
  });

  it.each(['page=1', 'limit=5', 'cursor='])('refuses %s, because it has no pages', async (parameter) => {
    const answer = await shop.admin.get(`${path}&${parameter}`, CSV);
    expect([answer.status, errorOf(answer)]).toEqual([400, '400 INVALID_QUERY']);
  });

  it('shows nested fields in columns or as JSON, and only what the caller may see', async () => {
    const [one, other] = [await shop.member(), await shop.member()];
    const product = await shop.product(1);
    for (const { client } of [one, other])
      await client.post(`/api/v1/products/${product}/reviews`, { rating: 5, comment: '=1+1' });
    const reviews = linesOf((await one.client.get(`/api/v2/reviews?userId=${one.id}`, CSV)).text);
    expect(reviews[0]).toMatch(/,comment,createdAt,updatedAt,author\.id,author\.name,etag$/);
    expect(reviews).toHaveLength(2);
    expect(reviews[1]).toMatch(new RegExp(`,5,'=1\\+1,.*,${one.id},,"""[^"]+"""$`));
    await shop.order(one, [product, 2]);
    await shop.order(other, [product, 2]);
    const orders = linesOf((await one.client.get('/api/v1/orders', CSV)).text);
    expect(orders).toHaveLength(2);
    expect(orders[1]).toContain(`""productId"":${product},`);
    expect((await app.anonymous.get('/api/v1/orders', CSV)).status).toBe(401);
    expect((await one.client.get('/api/v1/products/999999/reviews', CSV)).status).toBe(404);
  });

  it('contains all rows that grants open, and none if no row matches', async () => {
    const [owner, reader] = [await shop.member(), await shop.member()];
    const orders = await app.query<{ id: number }>(
      'insert into orders (user_id, total) select $1, 1 from generate_series(1, 100) returning id',
      [owner.id],
    );
    const path = `/api/v1/users/${owner.id}/orders`;
    const grant = { resourceType: 'order', userId: reader.id, permissions: ['read'], effect: 'allow' };
    for (const { id } of orders) await shop.admin.post('/api/v1/access-grants', { ...grant, resourceId: id });
    expect(linesOf((await reader.client.get(path, CSV)).text)).toHaveLength(101);
    expect(linesOf((await reader.client.get(`${path}?status=paid`, CSV)).text)).toHaveLength(1);
  });

  describe('while a client reads it', () => {
    let authorization: string;
    beforeAll(async () => {
      const { email, password } = await app.user('viewer');
      authorization = `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;
      await app.query(
        `insert into products (name, price, category, description)
         select 'Large ' || i, i, 'large', repeat('x', 5000) from generate_series(1, 4000) i`,
      );
    });

    /** Opens a response of 20 MB without reading it, which is more than the buffers on the way hold. */
    const open = (): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const options = { agent: false, headers: { authorization, ...CSV } };
        get(`${app.baseUrl}/api/v2/products?category=large`, options, resolve).on('error', reject);
      });
    const countLines = async (response: IncomingMessage): Promise<number> => {
      let count = 0;
      for await (const chunk of response) count += String(chunk).split('\n').length - 1;
      return count;
    };
    /** Queries the connections that wait for a client to read. Optionally selects an expression for each. */
    const held = (asked = ''): Promise<unknown[]> =>
      app.query(
        `select ${asked} from pg_stat_activity where datname = current_database() and state like 'idle in tr%'`,
      );

    it('shows one snapshot, whatever is written meanwhile', async () => {
      const response = await open();
      await app.query(`delete from products where category = 'large' and price > 3990`);
      expect(await countLines(response)).toBe(4001);
      expect(await countLines(await open())).toBe(3991);
    });

    it('releases its connection when the client leaves, and never uses more than a quarter of the pool', async () => {
      const responses = [await open(), await open()];
      const refused = await open();
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '10']);
      for (const response of [...responses, refused]) response.destroy();
      await eventually(async () => (await held()).length, 0, 5_000);
      expect(await countLines(await open())).toBe(3991);
    });

    it('aborts the connection on failure, so that nobody mistakes a partial file for a whole one', async () => {
      const response = await open();
      // One statement, because an export waits for the client only now and then until the buffers are full.
      await eventually(async () => (await held('pg_terminate_backend(pid)')).length, 1, 5_000);
      await expect(countLines(response)).rejects.toThrow('aborted');
    });
  });
});
