import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { Client } from 'pg';

import { createDatabase, TestDatabase, waitersForLocks } from '../support/databases.js';
import { ServerProcess } from '../support/server.js';

const ADMIN = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a password of the tests' };
const SETTINGS = { ...ADMIN, JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more', RATE_LIMIT: '0' };

describe('a server that is killed', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  let token: string;

  beforeAll(async () => {
    database = await createDatabase();
    server = await ServerProcess.start(database.url, SETTINGS);
    const login = await fetch(`${server.baseUrl}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }),
    });
    token = ((await login.json()) as { accessToken: string }).accessToken;
  });
  afterAll(async () => {
    await server.kill();
    await database.drop();
  });

  /** @returns the status, or `null` where the server went away before it answered */
  const create = (
    name: string,
  ): Promise<{ status: number; isReplay: boolean; location: string | null } | null> =>
    fetch(`${server.baseUrl}/api/v1/products`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'idempotency-key': name,
      },
      body: JSON.stringify({ name, price: 1, category: 'crash' }),
    }).then(
      ({ status, headers }) => ({
        status,
        isReplay: headers.has('idempotency-replayed'),
        location: headers.get('location'),
      }),
      () => null,
    );
  /** 409: PostgreSQL has not noticed yet that the server which began with it is gone, and works on it. */
  const repeated = async (name: string): ReturnType<typeof create> => {
    let again = await create(name);
    for (let i = 0; again?.status === 409 && i < 100; i++) {
      await setTimeout(50);
      again = await create(name);
    }
    return again;
  };
  const named = (name: string): Promise<{ id: number }[]> =>
    database.query<{ id: number }>('select id from products where name = $1', [name]);

  it('in the middle of a request leaves nothing behind, and the request can be sent again', async () => {
    const blocker = new Client({ connectionString: database.url });
    await blocker.connect();
    await blocker.query('begin');
    // The product is inserted; its answer cannot be stored.
    await blocker.query('lock table idempotency_keys in share mode');
    const name = randomUUID();
    const attempt = create(name);
    await waitersForLocks(database.url, 1);
    await server.kill();
    expect(await attempt).toBeNull();
    await blocker.query('rollback');
    await blocker.end();
    server = await ServerProcess.start(database.url, SETTINGS);
    expect(await named(name)).toEqual([]);
    expect(await repeated(name)).toMatchObject({ status: 201, isReplay: false });
    expect(await create(name)).toMatchObject({ status: 201, isReplay: true });
    expect(await named(name)).toHaveLength(1);
  });

  it('at any moment doubles nothing and loses nothing that was answered', async () => {
    const names = Array.from({ length: 200 }, () => randomUUID());
    const attempts = names.map((name, i) => setTimeout(i * 2).then(() => create(name)));
    await setTimeout(150 + Math.random() * 200);
    await server.kill();
    const first = await Promise.all(attempts);
    server = await ServerProcess.start(database.url, SETTINGS);
    for (const [i, name] of names.entries()) {
      const again = await repeated(name);
      expect(again?.status).toBe(201);
      if (first[i]) expect(again).toMatchObject({ isReplay: true, location: first[i].location });
    }
    const products = await database.query<{ count: number }>(
      'select name, count(*)::int from products where name = any($1) group by name',
      [names],
    );
    expect(products).toHaveLength(names.length);
    expect(new Set(products.map(({ count }) => count))).toEqual(new Set([1]));
    expect(first).toContain(null);
  });
});
