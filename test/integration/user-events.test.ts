import { isDeepStrictEqual } from 'node:util';

import { Client as Listener } from 'pg';

import { startOn, TestApp } from '../support/app.js';
import { createDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { Shop } from '../support/shop.js';

describe('what instances are told of users', () => {
  let app: TestApp;
  let shop: Shop;
  let listener: Listener;
  let told: unknown[];

  beforeAll(async () => {
    const database = await createDatabase();
    app = await startOn(database);
    shop = await Shop.in(app);
    listener = new Listener({ connectionString: database.url });
    await listener.connect();
    listener.on('notification', ({ payload }) => told.push(JSON.parse(payload ?? '')));
    await listener.query('listen user_changed');
  });
  beforeEach(() => {
    told = [];
  });
  afterAll(async () => {
    await listener.end();
    await app.stop();
  });

  /** Notifications come in the order of their commits: what was told before one that is sent now. */
  const whatWasTold = async (): Promise<unknown[]> => {
    const end = { userId: 0, what: 'role' };
    await app.query(`select pg_notify('user_changed', $1)`, [JSON.stringify(end)]);
    await eventually(() => Promise.resolve(told.some((each) => isDeepStrictEqual(each, end))), true, 30_000);
    return told.slice(0, -1);
  };

  it.each<[string, string, object | undefined, object | null]>([
    ['another role', 'PATCH', { role: 'editor' }, { what: 'role' }],
    ['the same role', 'PATCH', { role: 'viewer' }, null],
    ['another password', 'PATCH', { password: 'another password' }, { what: 'password', keepLoginId: null }],
    ['another e-mail', 'PATCH', { email: 'another@example.com' }, { what: 'email' }],
    ['another name', 'PATCH', { name: 'Ada' }, null],
    ['the end', 'DELETE', undefined, { what: 'deletion' }],
  ])('%s', async (_name, method, body, change) => {
    const { id } = await shop.member();
    expect((await shop.admin.request(method, `/api/v1/users/${id}`, { body })).status).toBeLessThan(300);
    expect(await whatWasTold()).toEqual(change ? [{ userId: id, ...change }] : []);
  });

  it('nothing of what did not happen', async () => {
    const member = await shop.member();
    await shop.order(member, [await shop.product(1), 1]);
    expect((await shop.admin.delete(`/api/v1/users/${member.id}`)).status).toBe(409);
    expect(await whatWasTold()).toEqual([]);
  });
});
