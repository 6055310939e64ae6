import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { DataSource } from 'typeorm';

import { EVERYTHING } from '../../src/access/visibility.js';
import { Statement } from '../../src/database/connection.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { RowReader } from '../../src/database/row-reader.js';
import { Table } from '../../src/database/table.js';
import { deleteStatement, lockStatement, updateStatement } from '../../src/database/write-sql.js';
import { UNCONDITIONAL } from '../../src/http/caching/preconditions.js';
import { Order as StoredOrder, OrderItem } from '../../src/orders/order.entity.js';
import { Product } from '../../src/products/product.entity.js';
import { User } from '../../src/users/user.entity.js';
import { changesOf } from '../../tools/migrations/changes.js';
import { declarationsIn } from '../../tools/migrations/scratch.js';
import { startOn, TestApp } from '../support/app.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { OpenDatabase, openDatabase } from '../support/open-database.js';
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

  it('take their lines along when they are deleted', async () => {
    const path = `/api/v1/users/${ada.id}/orders/${(await shop.order(ada, [lamp, 3])).id}`;
    expect((await shop.admin.delete(path)).status).toBe(204);
    expect(await database.query('select from order_items where quantity = 3')).toEqual([]);
  });

  describe('and the statements of the service', () => {
    const ALL = ['orders_1', 'orders_2', 'orders_3'];
    let open: OpenDatabase;
    let table: Table;

    beforeAll(async () => {
      open = await openDatabase(database.url, {}, [StoredOrder, OrderItem, Product, User]);
      table = new Table(open.dataSource.getMetadata(StoredOrder));
    });
    afterAll(() => open.close());

    /** The partitions that the kept plan of a statement reaches for its values. */
    async function reachedBy({ text, values }: Statement): Promise<string[]> {
      const literals = values.map((value) =>
        Array.isArray(value) ? `'{${value.map((one) => `"${one}"`).join(',')}}'` : `'${String(value)}'`,
      );
      return open.database.transaction(async (tx) => {
        const run = (sql: string) => tx.query<{ 'QUERY PLAN': string }>({ text: sql, values: [] });
        await run('set local plan_cache_mode = force_generic_plan');
        await run(`prepare asked as ${text}`);
        const plan = JSON.stringify(await run(`explain execute asked(${literals.join(', ')})`));
        await run('deallocate asked');
        return ALL.filter((name) => plan.includes(` on ${name}`));
      });
    }

    it('reach every partition where they read by ids', async () => {
      const reached: string[] = [];
      const on = {
        query: async <Row extends object>(statement: Statement): Promise<Row[]> => {
          reached.push(...(await reachedBy(statement)));
          return open.database.query<Row>(statement);
        },
      };
      await new RowReader<StoredOrder>(table).find(first.id, on);
      expect(reached).toEqual(ALL);
    });

    it('reach the partition of the row where they lock, change or delete one', async () => {
      const key = { id: first.id };
      for (const statement of [
        lockStatement(table, key, EVERYTHING),
        updateStatement(table, key, EVERYTHING, { status: 'paid' }, UNCONDITIONAL),
        deleteStatement(table, key, EVERYTHING, UNCONDITIONAL),
      ])
        expect(await reachedBy(statement)).toEqual(['orders_1']);
    });
  });

  it('cannot be had of order lines by their id: an order has a product once', async () => {
    const text = 'create table parts (like order_items including all) partition by range (id)';
    await expect(database.query(text)).rejects.toThrow('must include all partitioning columns');
  });

  it('keep the type of their ids', async () => {
    const text = 'alter table orders alter id type bigint';
    await expect(database.query(text)).rejects.toThrow('part of the partition key');
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
