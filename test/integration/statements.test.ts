import { Connection, Statement } from '../../src/database/connection.js';
import { Database } from '../../src/database/database.js';
import { ProductsRepository } from '../../src/products/products.repository.js';
import { OrdersRepository } from '../../src/orders/orders.repository.js';
import { OwnApp, startInProcess } from '../support/own-app.js';

describe('#9', () => {
  let app: OwnApp;

  beforeAll(async () => {
    app = await startInProcess({ DATABASE_POOL_SIZE: '1' });
  });
  afterAll(() => app.stop());

  it('rows by their ids keep one plan, however few they are', async () => {
    const { nest } = app.app;
    const [database, products] = [
      nest.get(Database, { strict: false }),
      nest.get(ProductsRepository, { strict: false }),
    ];
    // As many as are planned for nothing less than they are.
    await database.query({
      text: `insert into products (name, price) select 'Lamp ' || n, n from generate_series(1, 2000) n`,
      values: [],
    });
    await database.query({ text: 'analyze products', values: [] });
    for (let times = 1; times <= 8; times++) {
      await products.find(times);
      await database.transaction((tx) => products.lockShared([times, times + 1], tx));
    }
    // The pool has one connection.
    const { length } = await database.query({
      text: `select from pg_prepared_statements where statement ~ 'from "?products"? where' and generic_plans >= 3`,
      values: [],
    });
    expect(length).toBe(2);
  });

  it('an order is stored and shown by one statement, as it is read afterwards', async () => {
    const { nest } = app.app;
    const [database, orders] = [
      nest.get(Database, { strict: false }),
      nest.get(OrdersRepository, { strict: false }),
    ];
    const run = <Row extends object>(text: string): Promise<Row[]> =>
      database.query<Row>({ text, values: [] });
    await app.as('viewer');
    const [user] = await run<{ id: number }>('select id from users limit 1');
    const products = await run<{ id: number }>(
      `insert into products (name, price) select 'Lamp ' || n, n + 0.1 from generate_series(1, 3) n returning id`,
    );
    const lines = products.map(({ id }, index) => ({
      productId: id,
      productName: `Lamp ${index}`,
      unitPrice: [0.1, 19.9, 9_999_999_999.99][index] as number,
      quantity: index + 1,
    }));
    const texts: string[] = [];
    const placed = await database.transaction((on) => {
      const counting = {
        query: (statement: Statement) => {
          texts.push(statement.text);
          return on.query(statement);
        },
      } as Connection;
      return orders.place(user!.id, lines.toReversed(), counting);
    });
    expect(texts).toHaveLength(1);
    expect(placed).toEqual(await orders.get(placed.id));
    expect(placed.items.map(({ lineTotal }) => lineTotal)).toEqual([29_999_999_999.97, 39.8, 0.1]);
    expect(placed.total).toBe(30_000_000_039.87);
  });
});
