import { Connection, Statement } from '../../src/database/connection.js';
import { Database } from '../../src/database/database.js';
import { OrdersRepository } from '../../src/orders/orders.repository.js';
import { OwnApp, startInProcess } from '../support/own-app.js';

describe('#9 an order', () => {
  let app: OwnApp;

  beforeAll(async () => {
    app = await startInProcess();
  });
  afterAll(() => app.stop());

  it('is stored and shown by one statement, as it is read afterwards', async () => {
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
