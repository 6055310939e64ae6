import { eventually } from '@plinth/dev/testing';

import { startOn, TestApp } from '../../support/app.js';
import { createDatabase } from '../../support/databases.js';
import { describeWithRedis, startRedis, TestRedis } from '../../support/redis.js';
import { basicOf, headersOf } from '../../support/schemes.js';

const PRODUCTS = '/api/v1/products';
const SECOND = 1_000;
/** On a busy machine, an instance takes longer than its usual second. */
const SOON_MS = 5 * SECOND;

describeWithRedis('two instances on one PostgreSQL and one Redis', () => {
  let redis: TestRedis;
  let one: TestApp;
  let two: TestApp;

  beforeAll(async () => {
    redis = await startRedis();
    const database = await createDatabase();
    // One connection each, as in access/model.test.ts.
    const settings = { REDIS_URL: redis.url, SESSION_STORE: 'redis', DATABASE_POOL_SIZE: '1' };
    one = await startOn(database, settings);
    two = await startOn(database, settings);
  });
  afterAll(async () => {
    await two.stop();
    await one.stop();
    await redis.remove();
  });

  const statusOn = async (app: TestApp, headers: Record<string, string>, path = PRODUCTS) =>
    (await app.anonymous.get(path, headers)).status;
  const revoke = async (headers: Record<string, string>) => {
    const keys = await one.anonymous.get('/api/v1/api-keys', headers);
    const [key] = (keys.body as { data: { id: number }[] }).data;
    expect((await one.anonymous.delete(`/api/v1/api-keys/${key!.id}`, headers)).status).toBe(204);
  };

  it('share API keys, and their revocation', async () => {
    const headers = await headersOf(one, await one.user('viewer'), ['read']);
    expect(await statusOn(two, headers['api-key'])).toBe(200);
    await revoke(headers.bearer);
    expect(await statusOn(two, headers['api-key'])).toBe(401);
  });

  it('share sessions, and their end', async () => {
    const headers = await headersOf(one, await one.user('viewer'), ['read']);
    expect(await statusOn(two, headers.session)).toBe(200);
    const { body } = await two.anonymous.get('/api/v1/sessions', headers.session);
    const { id } = (body as { data: { id: number }[] }).data[0]!;
    expect((await two.anonymous.delete(`/api/v1/sessions/${id}`, headers.bearer)).status).toBe(204);
    expect(await statusOn(one, headers.session)).toBe(401);
  });

  it('share refresh tokens', async () => {
    const { email, password } = await one.user('viewer');
    const login = await one.anonymous.post('/login', { email, password });
    const cookie = login.headers
      .getSetCookie()
      .find((text) => text.startsWith('refresh_token'))!
      .split(';')[0]!;
    const answers = await Promise.all(
      [one, two, one, two].map((app) => app.anonymous.post('/auth/refresh', undefined, { cookie })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('share the change of a password, which ends sessions and cached credentials', async () => {
    const user = await one.user('viewer');
    const headers = await headersOf(one, user, ['read']);
    expect([await statusOn(two, headers.basic), await statusOn(two, headers.session)]).toEqual([200, 200]);
    const admin = await one.as('admin');
    const changed = await admin.patch(`/api/v1/users/${user.id}`, { password: 'another password' });
    expect(changed.status).toBe(200);
    expect(await statusOn(one, headers.session)).toBe(401);
    expect([await statusOn(two, headers.session), await statusOn(two, headers.basic)]).toEqual([401, 401]);
  });

  it('forget cached credentials when the e-mail changes', async () => {
    const user = await one.user('viewer');
    const headers = await headersOf(one, user, ['read']);
    expect([await statusOn(one, headers.basic), await statusOn(two, headers.basic)]).toEqual([200, 200]);
    const email = `moved-${user.email}`;
    const moved = await one.anonymous.patch(
      `/api/v1/users/${user.id}`,
      { email, currentPassword: user.password },
      headers.bearer,
    );
    expect(moved.status).toBe(200);
    expect(await statusOn(one, headers.basic)).toBe(401);
    expect(await statusOn(two, headers.basic)).toBe(401);
    // Changing the e-mail does not end logins.
    expect([await statusOn(one, headers.session), await statusOn(two, headers.session)]).toEqual([200, 200]);
    const next = await one.anonymous.post('/api/v1/users', {
      email: user.email,
      password: 'another password',
    });
    expect(next.status).toBe(201);
    expect([await statusOn(one, headers.basic), await statusOn(two, headers.basic)]).toEqual([401, 401]);
    expect(await statusOn(two, { authorization: basicOf({ email, password: user.password }) })).toBe(200);
  });

  it('share grants', async () => {
    const admin = await headersOf(one, await one.user('admin'), ['read']);
    const viewer = await one.user('viewer');
    const { bearer } = await headersOf(one, viewer, ['read']);
    const product = { name: 'A', price: 1, category: 'b' };
    const created = await one.anonymous.post(PRODUCTS, product, admin.bearer);
    const { id } = created.body as { id: number };
    const path = `${PRODUCTS}/${id}`;
    expect(await statusOn(two, bearer, path)).toBe(200);
    const body = {
      resourceType: 'product',
      resourceId: id,
      userId: viewer.id,
      permissions: ['read'],
      effect: 'deny',
    };
    const grant = await one.anonymous.post('/api/v1/access-grants', body, admin.bearer);
    expect(await statusOn(one, bearer, path)).toBe(403);
    await eventually(() => statusOn(two, bearer, path), 403, SOON_MS);
    await one.anonymous.delete(grant.headers.get('location')!, admin.bearer);
    await eventually(() => statusOn(two, bearer, path), 200, SOON_MS);
  });
});
