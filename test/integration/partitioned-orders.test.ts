import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DataSource } from 'typeorm';

import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { changesOf } from '../../tools/migrations/changes.js';
import { declarationsIn } from '../../tools/migrations/scratch.js';
import { startOn, TestApp } from '../support/app.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { dataOf, Member, Order, Shop } from '../support/shop.js';

const script = readFileSync('test/examples/partition-orders.sql', 'utf8');

describe('(issue 11) orders that are partitioned as docs/scaling.md says', () => {
  let database: TestDatabase;
  let app: TestApp;
  let shop: Shop;
  let ada: Member;
  let lamp: number;
  let first: Order;

  beforeAll(async () => {
    database = await createDatabase();
    app = await startOn(database);
    shop = await Shop.in(app);
    [ada, lamp] = [await shop.member(), await shop.product(2)];
    first = await shop.order(ada, [lamp, 1]);
    await database.query(script.replaceAll('10000000', String(first.id + 1)));
  });
  afterAll(() => app.stop());

  it('go on, from one partition to the next, with their versions and totals', async () => {
    const second = await shop.order(ada, [lamp, 2]);
    const tables = 'select tableoid::regclass::text as name from orders order by id';
    expect(await database.query(tables)).toEqual([{ name: 'orders_1' }, { name: 'orders_2' }]);
    for (const { id } of [first, second]) {
      const path = `/api/v1/users/${ada.id}/orders/${id}`;
      const { headers } = await ada.client.get(path);
      const patched = await shop.admin.patch(path, { status: 'paid' });
      expect([patched.status, patched.headers.get('etag') === headers.get('etag')]).toEqual([200, false]);
    }
    const paid = await shop.admin.get('/api/v1/orders?status=paid&sort=createdAt:asc');
    expect(dataOf<Order>(paid).map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(paid.body).toMatchObject({ pagination: { total: 2 } });
    const versions = await database.query('select version from orders');
    expect(versions).toEqual([{ version: 2 }, { version: 2 }]);
  });

  it('take their lines along when they are deleted, and look up an id in its partition alone', async () => {
    const path = `/api/v1/users/${ada.id}/orders/${(await shop.order(ada, [lamp, 3])).id}`;
    expect((await shop.admin.delete(path)).status).toBe(204);
    expect(await database.query('select from order_items where quantity = 3')).toEqual([]);
    const plan = await database.query(`explain select from orders where id = ${first.id}`);
    expect(JSON.stringify(plan)).toContain('orders_1');
    expect(JSON.stringify(plan)).not.toContain('orders_2');
  });

  it('cannot be had of order lines by their id: an order has a product once', async () => {
    const text = 'create table parts (like order_items including all) partition by range (id)';
    await expect(database.query(text)).rejects.toThrow('must include all partitioning columns');
  });

  it('are what the code declares', async () => {
    const { entities, lists } = await declarationsIn(join(process.cwd(), 'src'));
    const options = dataSourceOptions(database.url, { poolSize: 2, statementTimeoutMs: 30_000 });
    const dataSource = await new DataSource({ ...options, entities: [...entities] }).initialize();
    const found = await changesOf(dataSource, lists);
    await dataSource.destroy();
    expect(found).toEqual({ up: [], down: [] });
  });
});
