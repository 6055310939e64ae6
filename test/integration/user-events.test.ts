import { setTimeout } from 'node:timers/promises';

import { Client as Listener } from 'pg';

import { startOn, TestApp } from '../support/app.js';
import { createDatabase } from '../support/databases.js';
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
    await listener.query('listen plinth');
  });
  beforeEach(() => {
    told = [];
  });
  afterAll(async () => {
    await listener.end();
    await app.stop();
  });

  it.each<[string, string, object | undefined, boolean]>([
    ['another role', 'PATCH', { role: 'editor' }, true],
    ['the same role', 'PATCH', { role: 'viewer' }, false],
    ['another password', 'PATCH', { password: 'another password' }, true],
    ['another name', 'PATCH', { name: 'Ada' }, false],
    ['the end', 'DELETE', undefined, true],
  ])('%s', async (_name, method, body, isTold) => {
    const { id } = await shop.member();
    expect((await shop.admin.request(method, `/api/v1/users/${id}`, { body })).status).toBeLessThan(300);
    await setTimeout(100);
    expect(told).toEqual(isTold ? [{ topic: 'user', id }] : []);
  });

  it('nothing of what did not happen', async () => {
    const member = await shop.member();
    await shop.order(member, [await shop.product(1), 1]);
    expect((await shop.admin.delete(`/api/v1/users/${member.id}`)).status).toBe(409);
    await setTimeout(100);
    expect(told).toEqual([]);
  });
});
