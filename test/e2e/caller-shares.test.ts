import { Answer, Client as Caller, PASSWORD, uniqueEmail } from '@plinth/dev/testing';
import { Client } from 'pg';

import { startOn, TestApp } from '../support/app.js';
import { createDatabase, TestDatabase, waitersForLocks } from '../support/databases.js';

/** Small, so that a few requests fill it. */
const POOL = 4;
const MANY = 150;

let database: TestDatabase;
let app: TestApp;
let other: Caller;
beforeAll(async () => {
  database = await createDatabase();
  app = await startOn(database, { DATABASE_POOL_SIZE: String(POOL), DATABASE_STATEMENT_TIMEOUT_MS: '20000' });
  other = await app.as('viewer');
});
afterAll(() => app.stop());

/**
 * Sends requests that wait for a lock, so that those that reach it hold a connection each, then releases the
 * lock.
 */
async function whileLocked(lock: string, requests: () => Promise<Answer>[]): Promise<number[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query('begin');
  await client.query(lock);
  const answers = requests();
  try {
    await waitersForLocks(database.url, POOL / 2);
    // Reads a list, because a list uses a connection of its own, whereas reads by id are joined with those of
    // others.
    for (let i = 0; i < 5; i++) expect((await other.get('/api/v1/products')).status).toBe(200);
    expect((await app.anonymous.get('/health/ready')).status).toBe(200);
  } finally {
    await client.end();
  }
  return (await Promise.all(answers)).map(({ status }) => status);
}

const idOf = async (caller: Caller): Promise<number> =>
  ((await caller.get('/api/v1/users/me')).body as { id: number }).id;

const times = <T>(make: (i: number) => T): T[] => Array.from({ length: MANY }, (_, i) => make(i));

describe('another caller is served immediately', () => {
  it('while one viewer creates many API keys at once', async () => {
    const viewer = await app.as('viewer');
    const id = await idOf(viewer);
    const statuses = await whileLocked(`select from users where id = ${id} for update`, () =>
      times((i) => viewer.post('/api/v1/api-keys', { name: `key ${i}` })),
    );
    expect(statuses.every((status) => [201, 409, 503].includes(status))).toBe(true);
    expect(statuses).toContain(201);
  });

  it('while one editor writes one product, with a token and with several API keys', async () => {
    const editor = await app.as('editor');
    const keys: string[] = [];
    for (let i = 0; i < 3; i++) {
      const { body } = await editor.post('/api/v1/api-keys', { name: 'key', permissions: ['update'] });
      keys.push((body as { key: string }).key);
    }
    const created = await editor.post('/api/v1/products', { name: 'Pen', price: 1, category: 'c' });
    const path = created.headers.get('location') as string;
    const statuses = await whileLocked(
      `select from products where id = ${path.split('/').at(-1)} for update`,
      () =>
        times((i) => {
          const key = keys[i % (keys.length + 1)];
          if (key === undefined) return editor.patch(path, { price: i });
          return app.anonymous.patch(path, { price: i }, { 'x-api-key': key });
        }),
    );
    expect(statuses.every((status) => [200, 503].includes(status))).toBe(true);
    expect(statuses).toContain(200);
  });

  it('while one address registers many users, and the service stays ready', async () => {
    const statuses = await whileLocked('lock table users in share mode', () =>
      Array.from({ length: 12 }, () =>
        app.anonymous.post('/api/v1/users', { email: uniqueEmail('new'), password: PASSWORD }),
      ),
    );
    expect(statuses.every((status) => [201, 503].includes(status))).toBe(true);
    expect(statuses).toContain(201);
  });
});
