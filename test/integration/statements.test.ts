import { EVERYTHING } from '../../packages/core/src/access/visibility.js';
import { Connection, Statement } from '../../packages/core/src/database/connection.js';
import { Database } from '../../packages/core/src/database/database.js';
import { LoginsRepository } from '../../packages/core/src/sessions/logins.repository.js';
import { DatabaseSessions } from '../../packages/core/src/sessions/session-stores.js';
import { ProductsRepository } from '../../src/products/products.repository.js';
import { Caller } from '../../packages/core/src/access/caller.js';
import { OrdersRepository } from '../../src/orders/orders.repository.js';
import { OrdersService } from '../../src/orders/orders.service.js';
import { useInProcess } from '../support/own-app.js';

describe('#9', () => {
  const app = useInProcess({ DATABASE_POOL_SIZE: '1' });

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
      await products.find(times, EVERYTHING);
      await database.transaction((tx) => products.lockForShare([times, times + 1], tx));
    }
    // The pool has one connection.
    const { length } = await database.query({
      text: `select from pg_prepared_statements where statement ~ 'from "?products"? where' and generic_plans >= 3`,
      values: [],
    });
    expect(length).toBe(2);
  });

  it('sessions and logins keep one plan, however few are looked up at once', async () => {
    const { nest } = app.app;
    const [database, logins] = [
      nest.get(Database, { strict: false }),
      nest.get(LoginsRepository, { strict: false }),
    ];
    await app.as('viewer');
    await database.query({
      text: `
        with made as (
          insert into logins (user_id, expires_at) select users.id, now() + interval '1 day'
          from users, generate_series(1, 2000) returning id)
        insert into sessions (digest, login_id, expires_at)
        select sha256(id::text::bytea), id, now() + interval '1 day' from made`,
      values: [],
    });
    await database.query({ text: 'analyze logins, sessions, users', values: [] });
    const [login] = await database.query<{ id: number; digest: string }>({
      text: `select login_id as id, encode(digest, 'hex') as digest from sessions limit 1`,
      values: [],
    });
    const sessions = new DatabaseSessions(database);
    for (let times = 1; times <= 8; times++) {
      expect(await sessions.find(login!.digest)).toMatchObject({
        loginId: login!.id,
        login: { role: 'viewer' },
      });
      expect(await logins.findCurrent(login!.id)).toMatchObject({ role: 'viewer' });
    }
    const plans = await database.query<{ name: string; generic: number }>({
      text: `select name, generic_plans::int as generic from pg_prepared_statements
        where name in ('sessions_find', 'logins_current') order by name`,
      values: [],
    });
    expect(plans).toEqual([
      { name: 'logins_current', generic: 3 },
      { name: 'sessions_find', generic: 3 },
    ]);
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
      `insert into products (name, price) values ('A', 0.1), ('B', 19.9), ('C', 9999999999.99), ('D', 1) returning id`,
    );
    const [last] = products.splice(3);
    const lines = products.map(({ id }, index) => ({ productId: id, quantity: index + 1 }));
    const texts: string[] = [];
    const counting = {
      query: (statement: Statement) => {
        texts.push(statement.text);
        return database.query(statement);
      },
    } as Connection;
    const service = nest.get(OrdersService, { strict: false });
    const caller = { hiddenIds: () => new Set([last!.id]), principal: {} } as unknown as Caller;
    const placed = await service.place(user!.id, lines.toReversed(), caller, counting);
    expect(texts).toHaveLength(1);
    expect(placed).toEqual(await orders.get(placed.id, EVERYTHING));
    expect(placed.items.map(({ lineTotal }) => lineTotal)).toEqual([29_999_999_999.97, 39.8, 0.1]);
    expect(placed.items.map(({ productName }) => productName)).toEqual(['C', 'B', 'A']);
    expect(placed.total).toBe(30_000_000_039.87);

    // Whatever is wrong with a product, nothing is stored.
    await run(`update products set in_stock = false where id = ${products[0]!.id}`);
    const [, first] = lines;
    const others = [
      lines[0]!,
      first!,
      { productId: last!.id, quantity: 1 },
      { productId: 2_000_000_000, quantity: 1 },
    ];
    for (const other of others)
      await expect(service.place(user!.id, [first!, other], caller, counting)).rejects.toMatchObject({
        type: { status: other === lines[0] ? 409 : 422 },
      });
    expect(await run('select id from orders')).toEqual([{ id: placed.id }]);
  });
});
