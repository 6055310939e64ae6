import { readFileSync } from 'node:fs';

import { Client } from 'pg';

import { foldStatement } from '../../src/database/totals-sql.js';
import { startOn, TestApp } from '../support/app.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { Member, Shop } from '../support/shop.js';

const script = readFileSync('test/examples/partition-orders.sql', 'utf8');
const recount = readFileSync('test/examples/recount-orders.sql', 'utf8');

/** Counts anew with a statement at the marked place. */
const recountAfter = (statement: string): string => recount.replace('-- HERE', `${statement};\n-- HERE`);

/** The first partition has the orders below, the second those from there on. */
const BOUND = 1000;
const REMOVED = 'alter table orders detach partition orders_1; drop table orders_1';

describe('(issue 11) totals of orders that are partitioned', () => {
  let database: TestDatabase;
  let app: TestApp;
  let shop: Shop;
  let ada: Member;

  beforeEach(async () => {
    database = await createDatabase();
    app = await startOn(database);
    shop = await Shop.in(app);
    ada = await shop.member();
    const lamp = await shop.product(2);
    await database.query(script.replaceAll('10000000', String(BOUND)).replaceAll('20000000', '2000'));
    for (const from of [BOUND - 20, BOUND])
      await database.query(`
        with placed as (
          insert into orders (id, user_id, total, status)
          select id, ${ada.id}, 2, case id % 2 when 0 then 'paid' else 'pending' end
          from generate_series(${from}, ${from + 19}) as id returning id)
        insert into order_items (order_id, user_id, product_id, product_name, unit_price, quantity)
        select id, ${ada.id}, ${lamp}, 'Lamp', 2, 1 from placed`);
    await database.query(`select setval(pg_get_serial_sequence('orders', 'id'), ${BOUND + 20})`);
    expect(await shown()).toEqual(await counted());
  });
  afterEach(() => app.stop());

  /** What lists show as their totals. */
  async function shown(): Promise<number[]> {
    const own = `users/${ada.id}/orders`;
    const paths = ['orders', 'orders?status=paid', own, `${own}?status=pending`, 'order-items'];
    const answers = await Promise.all(paths.map((path) => shop.admin.get(`/api/v1/${path}`)));
    return answers.map(({ body }) => (body as { pagination: { total: number } }).pagination.total);
  }

  async function counted(): Promise<number[]> {
    const [counts] = await database.query<{ all: number[] }>(`
      select array[count(*), count(*) filter (where status = 'paid'), count(*) filter (where user_id = ${ada.id}),
        count(*) filter (where status = 'pending' and user_id = ${ada.id}), (select count(*) from order_items)]::int[] as all
      from orders`);
    return counts!.all;
  }

  it('stay exact where old orders are deleted by the table, in batches, and their partition goes when it is empty', async () => {
    const batch = `with gone as (
      delete from orders where id in (select id from orders where id < ${BOUND} order by id limit 7) returning id)
      select count(*)::int as count from gone`;
    for (let isMore = true; isMore;) {
      const [gone] = await database.query<{ count: number }>(batch);
      isMore = gone!.count > 0;
      expect(await shown()).toEqual(await counted());
    }
    await database.query(REMOVED);
    expect(await shown()).toEqual([20, 10, 20, 10, 20]);
    expect(await counted()).toEqual([20, 10, 20, 10, 20]);
  });

  it('stay exact where a partition comes empty', async () => {
    await database.query(`alter table orders detach partition orders_3;
      create table orders_4 (like orders_2 including all excluding identity);
      alter table orders attach partition orders_4 for values from (2000) to (3000)`);
    await database.query(`insert into orders (id, user_id, total) values (2000, ${ada.id}, 1)`);
    expect(await database.query('select id from orders_4')).toEqual([{ id: 2000 }]);
    expect(await shown()).toEqual([41, 20, 41, 21, 40]);
    expect(await counted()).toEqual([41, 20, 41, 21, 40]);
  });

  it.each<[string, string]>([
    ['delete from a partition', `delete from orders_1 where id = ${BOUND - 1}`],
    ['insert into a partition', `insert into orders_2 (id, user_id, total) values (1500, 1, 1)`],
    [
      'copy to a partition',
      `copy orders_2 (id, user_id, total) from program 'echo "1500,1,1"' with (format csv)`,
    ],
    ['truncate of a partition', 'truncate orders_1 cascade'],
    [
      'detach of orders without lines',
      `delete from order_items where order_id < ${BOUND}; alter table orders detach partition orders_1`,
    ],
    [
      'attach of orders',
      `alter table orders detach partition orders_3;
       create table orders_4 (like orders_2 including all excluding identity);
       insert into orders_4 (id, user_id, total) values (2500, 1, 1);
       alter table orders attach partition orders_4 for values from (2000) to (3000)`,
    ],
  ])('are wrong after %s, until they are counted anew', async (_, statements) => {
    const before = await shown();
    await database.query(statements);
    const after = await counted();
    expect(after[0]).not.toBe(before[0]);
    expect((await shown())[0]).toBe(before[0]);
    await database.query(recount);
    expect(await shown()).toEqual(after);
    // From there on the triggers go on.
    await database.query(`delete from orders where id = ${BOUND + 1}`);
    expect(await shown()).toEqual(await counted());
  });

  it('are counted anew while others write, who neither wait nor count twice or not at all', async () => {
    await database.query('delete from orders_1');
    const writer = new Client({ connectionString: database.url });
    await writer.connect();
    await writer.query('begin');
    await writer.query(`insert into orders (user_id, total) values (${ada.id}, 1)`);
    await writer.query(`update orders set status = 'shipped' where id = ${BOUND}`);
    await database.query(recount);
    expect(await shown()).toEqual(await counted());
    await writer.query('commit');
    await writer.end();
    expect((await counted())[0]).toBe(21);
    expect(await shown()).toEqual(await counted());
  });

  it('are counted anew by statements that come one by one, as psql sends them: nothing is summed up in between', async () => {
    await database.query('delete from orders_1');
    const psql = new Client({ connectionString: database.url });
    await psql.connect();
    const statements = recount.replaceAll(/--.*$/gm, '').split(';').slice(0, -1);
    const areSummedUp: boolean[] = [];
    for (const statement of statements) {
      await psql.query(statement);
      await database.query(`insert into orders (user_id, total) values (${ada.id}, 1)`);
      const text = foldStatement({ table: 'orders', columns: ['user_id', 'status'] });
      const [fold] = await database.query<{ folded: number }>(text);
      areSummedUp.push(fold!.folded > 0);
    }
    await psql.end();
    // After `begin`, the time-out, the lock, the count and `commit`.
    expect(areSummedUp).toEqual([true, true, false, false, true]);
    expect((await counted())[0]).toBe(25);
    expect(await shown()).toEqual(await counted());
  });

  it('are counted anew though it takes longer than statements otherwise may', async () => {
    const [psql, other] = [1, 2].map(() => new Client({ connectionString: database.url })) as [
      Client,
      Client,
    ];
    await Promise.all([psql.connect(), other.connect()]);
    await psql.query('set statement_timeout = 50');
    await other.query('begin');
    await other.query(`select pg_advisory_xact_lock(hashtext('totals'), hashtext('orders'))`);
    const counting = psql.query(recount);
    await other.query('select pg_sleep(0.2)');
    await other.query('commit');
    await counting;
    await Promise.all([psql.end(), other.end()]);
    expect(await shown()).toEqual(await counted());
  });

  it('are kept where a partition with orders is detached and the others are counted anew in one transaction', async () => {
    await database.query(`delete from order_items where order_id < ${BOUND}`);
    await database.query(recountAfter('alter table orders detach partition orders_1'));
    expect(await counted()).toEqual([20, 10, 20, 10, 20]);
    expect(await shown()).toEqual(await counted());
  });

  it('are safe from what removes a partition whose orders have lines: it is refused', async () => {
    for (const [statement, message] of [
      ['alter table orders detach partition orders_1', 'violates foreign key constraint'],
      ['truncate orders_1', 'cannot truncate a table referenced in a foreign key constraint'],
      ['drop table orders_1', 'other objects depend on it'],
    ])
      await expect(database.query(statement!)).rejects.toThrow(message);
  });

  it('and `cascade` is no way around: it takes the lines of all orders, or their foreign key', async () => {
    const keys = `select conname as name from pg_constraint where contype = 'f' and confrelid = 'orders'::regclass`;
    expect(await database.query(keys)).toEqual([{ name: 'order_items_order_id_fkey' }]);
    await database.query('truncate orders_1 cascade');
    expect(await counted()).toEqual([20, 10, 20, 10, 0]);
    await database.query('drop table orders_1 cascade');
    expect(await database.query(keys)).toEqual([]);
  });
});
