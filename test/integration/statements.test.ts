import { EVERYTHING } from '../../packages/core/src/access/access-scope.js';
import { Database } from '../../packages/core/src/database/database.js';
import { LoginsRepository } from '../../packages/core/src/sessions/logins.repository.js';
import { DatabaseSessions } from '../../packages/core/src/sessions/session-stores.js';
import { OrdersRepository } from '../../src/orders/orders.repository.js';
import { ProductsRepository } from '../../src/products/products.repository.js';
import { useInProcess } from '../support/own-app.js';

describe('prepared statements', () => {
  const app = useInProcess({ DATABASE_POOL_SIZE: '1' });

  it('keep one plan for rows by their ids, however few ids there are', async () => {
    const { nest } = app.app;
    const [database, products, orders] = [
      nest.get(Database, { strict: false }),
      nest.get(ProductsRepository, { strict: false }),
      nest.get(OrdersRepository, { strict: false }),
    ];
    // PostgreSQL plans for this number of ids and more in the same way.
    await database.query({
      text: `insert into products (name, price) select 'Lamp ' || n, n from generate_series(1, 2000) n`,
      values: [],
    });
    await database.query({ text: 'analyze products', values: [] });
    for (let times = 1; times <= 8; times++) {
      await products.find(times, EVERYTHING);
      await database.transaction((tx) => orders.lockProducts([times, times + 1], new Set(), tx));
    }
    // The pool has a single connection.
    const { length } = await database.query({
      text: `select from pg_prepared_statements where statement ~ 'from "?products"? where' and generic_plans >= 3`,
      values: [],
    });
    expect(length).toBe(2);
  });

  it('keep one plan for sessions and logins, however few are looked up at once', async () => {
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
      expect(await logins.currentLogins.load(login!.id)).toMatchObject({ role: 'viewer' });
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
});
