import { readFileSync } from 'node:fs';

import { Client, eventually } from '@plinth/dev/testing';

import { startOn, TestApp } from '../support/app.js';
import { createDatabase, run, TestDatabase } from '../support/databases.js';
import { dataOf, Member, Order, Shop } from '../support/shop.js';

const SCRIPT = readFileSync('deploy/postgres/archive-orders.sql', 'utf8');
const CALL = `call archive.move_orders(older_than => '24 months', batch_size => 7)`;

interface Listed {
  readonly data: readonly { readonly id: number }[];
  readonly pagination: { readonly total: number; readonly nextCursor: string | null };
}

describe('archive.move_orders()', () => {
  let database: TestDatabase;
  let app: TestApp;
  let customer: Member;
  let orders: string;
  let kept: Order;
  let staff: Client;

  /** Adds 40 orders of each status to the customer, half of them 25 months old, with two items each. */
  beforeEach(async () => {
    database = await createDatabase();
    app = await startOn(database);
    await app.query(SCRIPT);
    const shop = await Shop.in(app);
    staff = shop.admin;
    customer = await shop.member();
    orders = `/api/v1/users/${customer.id}/orders`;
    const products = [await shop.product(2), await shop.product(3)] as const;
    kept = await shop.order(customer, [products[0], 1]);
    await app.query(
      `with placed as (
        insert into orders (user_id, total, status, created_at)
        select $1, 5, (array['delivered', 'cancelled'])[1 + n % 2],
          now() - case when n % 4 < 2 then interval '25 months' else interval '23 months' end
        from generate_series(1, 80) n returning id, user_id)
      insert into order_items (order_id, user_id, product_id, product_name, unit_price, quantity)
      select placed.id, user_id, products.id, name, price, 1 from placed, products where products.id = any($2)`,
      [customer.id, products],
    );
  });
  afterEach(() => app.stop());

  const count = async (table: string): Promise<number> =>
    (await app.query<{ n: number }>(`select count(*) as n from ${table}`))[0]!.n;
  const counts = () =>
    Promise.all(['orders', 'order_items', 'archive.orders', 'archive.order_items'].map(count));
  const listed = async (query: string, client = customer.client): Promise<Listed> =>
    (await client.get(`${orders}${query}`)).body as Listed;

  it('moves delivered and cancelled orders that are old enough, with their items', async () => {
    await app.query(
      `insert into orders (user_id, total, created_at) values ($1, 5, now() - interval '9 years')`,
      [customer.id],
    );
    const etag = (await customer.client.get(`${orders}/${kept.id}`)).headers.get('etag');
    await app.query(CALL);
    // 40 of the 82 orders are old and closed. A pending order stays, however old it is.
    expect(await counts()).toEqual([42, 81, 40, 80]);
    const sums = `select o.total = sum(i.unit_price * i.quantity) as "isSum" from archive.orders o
      join archive.order_items i on i.order_id = o.id group by o.id, o.total`;
    expect((await app.query<{ isSum: boolean }>(sums)).filter(({ isSum }) => !isSum)).toEqual([]);
    const [archived] = await app.query<{ id: number }>('select id from archive.orders limit 1');
    expect((await customer.client.get(`${orders}/${archived!.id}`)).status).toBe(404);
    expect((await customer.client.get(`${orders}/${kept.id}`)).headers.get('etag')).toBe(etag);
    for (const [path, total] of [
      ['/api/v1/orders', 42],
      ['/api/v1/orders?status=delivered', 20],
      ['/api/v1/order-items', 81],
    ] as const)
      expect((await staff.get(path)).body).toMatchObject({ pagination: { total } });
  });

  it('keeps totals and walks by cursor exact while it runs', async () => {
    const recent = await app.query<{ id: number }>(
      `select id from orders where created_at > now() - interval '24 months' order by id`,
    );
    const first = await listed('?sort=id:asc&limit=9&cursor=');
    const archiving = run(database.url, CALL.replace('=> 7', '=> 1'));
    do {
      const page = await listed('?limit=100');
      expect(page.pagination.total).toBe(page.data.length);
      const walked = first.data.map(({ id }) => id);
      for (let cursor = first.pagination.nextCursor; cursor !== null;) {
        const { data, pagination }: Listed = await listed(`?sort=id:asc&limit=9&cursor=${cursor}`);
        walked.push(...data.map(({ id }) => id));
        cursor = pagination.nextCursor;
      }
      expect(new Set(walked).size).toBe(walked.length);
      expect(walked).toEqual(expect.arrayContaining(recent.map(({ id }) => id)));
    } while ((await count('archive.orders')) < 40);
    await archiving;
    expect(await counts()).toEqual([41, 81, 40, 80]);
  });

  it('keeps the batches before a failure, and continues when it is called again', async () => {
    // The key of this row prevents that the last delivered order is archived.
    const last = `select id from orders where status = 'delivered' and created_at < now() - interval '24 months'
      order by id desc limit 1`;
    await app.query(`insert into archive.orders select * from orders where id in (${last})`);
    await expect(app.query(CALL)).rejects.toThrow('duplicate key');
    expect(await counts()).toEqual([81 - 14, 161 - 28, 15, 28]);
    await app.query(`delete from archive.orders where id in (${last})`);
    await app.query(CALL);
    expect(await counts()).toEqual([41, 81, 40, 80]);
  });

  it('leaves orders that a transaction has locked to the next call', async () => {
    const [old] = await app.query<{ id: number }>(
      `select min(id) as id from orders where created_at < now() - interval '24 months'`,
    );
    await app.query('create table released ()');
    const locking = run(
      database.url,
      `begin; select from orders where id = ${old!.id} for update;
       do $$ begin while exists (select from pg_class where relname = 'released') loop perform pg_sleep(0.01); end loop; end $$; commit`,
    );
    const isLocked = async () =>
      (await app.query(`select from pg_stat_activity where wait_event = 'PgSleep'`)).length;
    await eventually(isLocked, 1, 30_000);
    await app.query(CALL);
    expect(await count('archive.orders')).toBe(39);
    await app.query('drop table released');
    await locking;
    await app.query(CALL);
    expect(await count('archive.orders')).toBe(40);
  });

  it.each(['0', '29 days', '-2 years'])('refuses to archive orders that are older than %s', async (age) => {
    await expect(app.query(`call archive.move_orders(older_than => '${age}')`)).rejects.toThrow(
      'older_than must be at least 1 month',
    );
    expect(dataOf(await customer.client.get(`${orders}?limit=100`))).toHaveLength(81);
  });
});
