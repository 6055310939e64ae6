import { randomUUID } from 'node:crypto';

import { startApp, TestApp } from '../support/app.js';
import { Answer, Client } from '../support/client.js';
import { cookieOf } from '../support/cookies.js';
import { describeWithOwnService } from '../support/needs.js';
import { basicOf } from '../support/schemes.js';
import { Member, Order, Shop } from '../support/shop.js';

const keyed = (): Record<string, string> => ({ 'idempotency-key': randomUUID() });

/**
 * With one connection, work in a transaction that asks the pool for a second one waits for itself: it would be
 * answered 503 after the three seconds that a request waits for a connection.
 */
describeWithOwnService('with a pool of one connection', () => {
  let app: TestApp;
  let shop: Shop;
  let member: Member;

  beforeAll(async () => {
    app = await startApp({ DATABASE_POOL_SIZE: '1' });
    shop = await Shop.in(app);
    member = await shop.member();
  });
  afterAll(() => app.stop());

  /** The body of an answer with the status of a success. */
  async function done<T>(answer: Promise<Answer>, status = 200): Promise<T> {
    const { status: given, text, body } = await answer;
    if (given !== status) throw new Error(`${given} instead of ${status}: ${text}`);
    return body as T;
  }

  /** Creates with a key and without, as the two take different ways, and again with the same key. */
  async function createTwice<T>(client: Client, path: string, body: () => object): Promise<T> {
    await done(client.post(path, body()), 201);
    const [headers, same] = [keyed(), body()];
    const created = await done<T>(client.post(path, same, headers), 201);
    const replayed = await client.post(path, same, headers);
    expect([replayed.status, replayed.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    return created;
  }

  it('products are created, changed and removed', async () => {
    const path = '/api/v1/products';
    const body = { name: 'Lamp', price: 5, category: 'lighting' };
    const { id } = await createTwice<{ id: number }>(shop.admin, path, () => body);
    await done(shop.admin.put(`${path}/${id}`, body));
    await done(shop.admin.patch(`${path}/${id}`, { price: 6 }));
    await done(shop.admin.get(`${path}?limit=5&sort=price:asc`));
    await done(shop.admin.delete(`${path}/${id}`), 204);
  });

  it('orders are placed, changed and moved', async () => {
    const products = [await shop.product(3), await shop.product(4), await shop.product(5)];
    const path = `/api/v1/users/${member.id}/orders`;
    const [first, second, third] = products;
    const items = [{ productId: first, quantity: 1 }];
    const order = await createTwice<Order>(member.client, path, () => ({ items }));
    const itemsPath = `${path}/${order.id}/items`;
    await done(member.client.post(itemsPath, { productId: second, quantity: 1 }), 201);
    const line = { productId: third, quantity: 1 };
    const item = await done<{ id: number }>(member.client.post(itemsPath, line, keyed()), 201);
    await done(member.client.patch(`${itemsPath}/${item.id}`, { quantity: 2 }));
    await done(member.client.delete(`${itemsPath}/${item.id}`), 204);
    await done(shop.admin.patch(`${path}/${order.id}`, { status: 'paid' }));
    await done(member.client.patch(`${path}/${order.id}`, { status: 'cancelled' }));
    await done(shop.admin.delete(`${path}/${order.id}`), 204);
  });

  it('reviews are written, changed and removed, with their products', async () => {
    const author = await shop.member();
    for (const headers of [{}, keyed()]) {
      const product = await shop.product(1);
      const path = `/api/v1/products/${product}/reviews`;
      const review = await done<{ id: number }>(author.client.post(path, { rating: 4 }, headers), 201);
      await done(author.client.patch(`${path}/${review.id}`, { rating: 2 }));
      await done(author.client.put(`${path}/${review.id}`, { rating: 5 }));
      await done(author.client.delete(`${path}/${review.id}`), 204);
      await done(author.client.post(path, { rating: 1 }), 201);
      await done(shop.admin.delete(`/api/v1/products/${product}`), 204);
    }
  });

  it('users register, log in and out, change and are removed', async () => {
    const email = (): string => `${randomUUID()}@example.com`;
    const password = 'correct horse battery staple';
    const body = (): object => ({ email: email(), password });
    await createTwice(app.anonymous, '/api/v1/users', body);
    const credentials = { email: email(), password };
    const { id } = await done<{ id: number }>(app.anonymous.post('/api/v1/users', credentials), 201);
    const login = await app.anonymous.post('/api/v1/login', credentials);
    const { accessToken } = login.body as { accessToken: string };
    const own = app.anonymous.with({ authorization: `Bearer ${accessToken}` });
    const refresh = { cookie: `refresh_token=${cookieOf(login, 'refresh_token')}` };
    await done(app.anonymous.post('/api/v1/auth/refresh', undefined, refresh));
    await done(app.anonymous.post('/api/v1/auth/refresh', undefined, refresh), 401);
    const again = await app.anonymous.post('/api/v1/login', { ...credentials, scheme: 'session' });
    const cookie = {
      cookie: `session_id=${cookieOf(again, 'session_id')}`,
      'sec-fetch-site': 'same-origin',
    };
    const { data } = await done<{ data: { id: number }[] }>(app.anonymous.get('/api/v1/sessions', cookie));
    expect(data.length).toBeGreaterThan(0);
    await done(app.anonymous.post('/api/v1/logout', undefined, cookie), 204);
    await done(app.anonymous.get('/api/v1/users/me', { authorization: basicOf(credentials) }));
    const next = { password: 'another horse battery staple', currentPassword: password };
    const basic = { authorization: basicOf(credentials) };
    await done(app.anonymous.patch(`/api/v1/users/${id}`, next, basic));
    await done(shop.admin.patch(`/api/v1/users/${id}`, { role: 'editor' }));
    await done(shop.admin.delete(`/api/v1/users/${id}`), 204);
    await done(own.get('/api/v1/users/me'), 404);
  });

  it('keys and grants are given and taken', async () => {
    const path = '/api/v1/api-keys';
    const body = { name: 'test', permissions: ['read'] };
    const { id, key } = await createTwice<{ id: number; key: string }>(member.client, path, () => body);
    const product = await shop.product(1);
    await done(app.anonymous.get(`/api/v1/products/${product}`, { 'x-api-key': key }));
    await done(member.client.patch(`${path}/${id}`, { name: 'renamed' }));
    const grant = {
      resourceType: 'product',
      resourceId: product,
      userId: member.id,
      permissions: ['read'],
      effect: 'deny',
    };
    const grants = '/api/v1/access-grants';
    const { id: grantId } = await done<{ id: number }>(shop.admin.post(grants, grant, keyed()), 201);
    await done(member.client.get(`/api/v1/products/${product}`), 403);
    await done(shop.admin.delete(`${grants}/${grantId}`), 204);
    await done(member.client.get(`/api/v1/products/${product}`));
    await done(member.client.delete(`${path}/${id}`), 204);
    await done(app.anonymous.get(`/api/v1/products/${product}`, { 'x-api-key': key }), 401);
  });

  it('many at once take turns', async () => {
    const product = await shop.product(2);
    const members = await Promise.all(Array.from({ length: 5 }, () => shop.member()));
    const placed = await Promise.all(members.map((each) => shop.order(each, [product, 1])));
    expect(placed.map(({ total }) => total)).toEqual([2, 2, 2, 2, 2]);
  });
});
