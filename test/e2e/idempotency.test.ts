import { createHash, randomUUID } from 'node:crypto';

import { Answer } from '@plinth/dev/testing';
import { Client } from 'pg';

import { useApp } from '../support/app.js';
import { dataOf, errorOf, Member, useShop } from '../support/shop.js';

const REPLAYED = 'idempotency-replayed';
const VALIDATORS = ['etag', 'last-modified', 'location', 'cache-control', 'content-type'];

describe('Idempotency-Key', () => {
  const app = useApp();
  const shop = useShop(app);
  let customer: Member;
  let lamp: object;

  beforeAll(async () => {
    customer = await shop.member();
  });
  beforeEach(() => {
    lamp = { name: `Lamp ${randomUUID()}`, price: 1, category: randomUUID() };
  });

  const withKey = (key: string = randomUUID()): Record<string, string> => ({ 'idempotency-key': key });
  const stored = async (): Promise<unknown[]> =>
    dataOf(await shop.admin.get(`/api/v1/products?category=${(lamp as { category: string }).category}`));

  it('repeats the first response, on every POST of a resource', async () => {
    const product = await shop.product(1);
    const order = await shop.order(customer, [product, 1]);
    const orders = `/api/v1/users/${customer.id}/orders`;
    const posts: [path: string, body: object][] = [
      ['/api/v1/products', lamp],
      ['/api/v2/products', { ...lamp, description: 'of v2' }],
      ['/api/v1/api-keys', { name: 'Nightly export', permissions: ['read'] }],
      [
        '/api/v1/access-grants',
        {
          resourceType: 'product',
          resourceId: product,
          userId: customer.id,
          permissions: ['read'],
          effect: 'allow',
        },
      ],
      ['/api/v1/users', { email: `${randomUUID()}@example.com`, password: 'a long password' }],
      [orders, { items: [{ productId: product, quantity: 1 }] }],
      [`${orders}/${order.id}/items`, { productId: await shop.product(2), quantity: 1 }],
      [`/api/v1/products/${product}/reviews`, { rating: 5 }],
    ];
    for (const [path, body] of posts) {
      const headers = withKey();
      const first = await shop.admin.post(path, body, headers);
      const second = await shop.admin.post(path, body, headers);
      expect([path, first.status, second.status]).toEqual([path, 201, 201]);
      expect([first.headers.get(REPLAYED), second.headers.get(REPLAYED)]).toEqual([null, 'true']);
      expect(second.text).toBe(first.text);
      for (const header of VALIDATORS) expect(second.headers.get(header)).toBe(first.headers.get(header));
      const plain = await shop.admin.get(first.headers.get('location') ?? '');
      // An API key is shown only when it is created.
      expect(first.body).toMatchObject(plain.body as object);
    }
  });

  it('belongs to the principal: the API key of a user neither repeats nor sees the response to the user', async () => {
    const editor = await shop.member('editor');
    const made = await editor.client.post('/api/v1/api-keys', { name: 'a', permissions: ['read', 'create'] });
    const { key } = made.body as { key: string };
    const byKey = app.anonymous.with({ 'x-api-key': key });
    const headers = withKey();
    const all = { name: 'all', permissions: ['create', 'read', 'update'] };
    expect((await editor.client.post('/api/v1/api-keys', all, headers)).status).toBe(201);
    expect(errorOf(await byKey.post('/api/v1/api-keys', all, headers))).toBe('403 PERMISSION_DENIED');
    const first = await editor.client.post('/api/v1/products', lamp, headers);
    expect(errorOf(first)).toBe('422 IDEMPOTENCY_KEY_REUSED');
    const others = withKey();
    const statuses = [editor.client, byKey, byKey].map((by) => by.post('/api/v1/products', lamp, others));
    expect((await Promise.all(statuses)).filter(({ status }) => status === 201).length).toBeGreaterThan(1);
    expect(await stored()).toHaveLength(2);
  });

  it('stores no secret that can be read without the key', async () => {
    const headers = withKey();
    const created = await shop.admin.post('/api/v1/api-keys', { name: 'x', permissions: ['read'] }, headers);
    const kept = JSON.stringify(await app.query('select * from idempotency_keys'));
    expect(kept).not.toContain((created.body as { key: string }).key);
    expect(kept).not.toContain(headers['idempotency-key']);
  });

  it('is optional: without a key, each POST creates a row', async () => {
    await shop.admin.post('/api/v1/products', lamp);
    await shop.admin.post('/api/v1/products', lamp);
    expect(await stored()).toHaveLength(2);
  });

  it('has one effect for 50 concurrent requests', async () => {
    const headers = withKey();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => shop.admin.post('/api/v1/products', lamp, headers)),
    );
    const created = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(created.filter((answer: Answer) => answer.headers.get(REPLAYED) === null)).toHaveLength(1);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    for (const answer of refused) expect(errorOf(answer)).toBe('409 IDEMPOTENCY_KEY_IN_USE');
    expect(await stored()).toHaveLength(1);
    expect((await shop.admin.post('/api/v1/products', lamp, headers)).headers.get(REPLAYED)).toBe('true');
  });

  it('is valid for one body and one path only', async () => {
    const headers = withKey();
    await shop.admin.post('/api/v1/products', lamp, headers);
    for (const [path, body] of [
      ['/api/v1/products', { ...lamp, price: 2 }],
      ['/api/v2/products', lamp],
    ] as const) {
      const answer = await shop.admin.post(path, body, headers);
      expect(errorOf(answer)).toBe('422 IDEMPOTENCY_KEY_REUSED');
    }
  });

  it('repeats the first response if the members of the body are in another order', async () => {
    const headers = withKey();
    const body = { ...lamp, inStock: true };
    const first = await shop.admin.post('/api/v1/products', body, headers);
    const reordered = Object.fromEntries(Object.entries(body).toReversed());
    const again = await shop.admin.post('/api/v1/products', reordered, headers);
    expect([again.status, again.text, again.headers.get(REPLAYED)]).toEqual([201, first.text, 'true']);
    const orders = `/api/v1/users/${customer.id}/orders`;
    const [one, two] = [await shop.product(1), await shop.product(2)];
    const items = [one, two].map((productId) => ({ productId, quantity: 1 }));
    const others = withKey();
    const placed = await customer.client.post(orders, { items }, others);
    const nested = items.map(({ productId, quantity }) => ({ quantity, productId }));
    expect((await customer.client.post(orders, { items: nested }, others)).text).toBe(placed.text);
    const swapped = await customer.client.post(orders, { items: nested.toReversed() }, others);
    expect(errorOf(swapped)).toBe('422 IDEMPOTENCY_KEY_REUSED');
  });

  describe('while its first request is running', () => {
    const orders = (): string => `/api/v1/users/${customer.id}/orders`;
    let headers: Record<string, string>;
    let order: object;
    let first: Client;

    /** The first request, as far as it has come: its transaction holds the row of the key. */
    beforeEach(async () => {
      headers = withKey();
      order = { items: [{ productId: await shop.product(1), quantity: 1 }] };
      const [{ url }] = (await app.query(
        `select format('%s:%s/%s', host(inet_server_addr()), inet_server_port(), current_database()) as url`,
      )) as [{ url: string }];
      const server = new URL(process.env['TEST_SERVER_URL'] ?? '');
      first = new Client({ connectionString: `postgres://${server.username}:${server.password}@${url}` });
      await first.connect();
      await first.query('begin');
      await first.query(`insert into idempotency_keys (caller, key, fingerprint) values ($1, $2, '')`, [
        `user ${customer.id}`,
        createHash('sha256')
          .update(headers['idempotency-key'] ?? '')
          .digest('base64url'),
      ]);
    });
    afterEach(() => first.end());

    it('answers 409 with Retry-After', async () => {
      const refused = await customer.client.post(orders(), order, headers);
      expect([errorOf(refused), refused.headers.get('retry-after')]).toEqual([
        '409 IDEMPOTENCY_KEY_IN_USE',
        '1',
      ]);
    });

    it('executes the request once that one has failed, or its process has died', async () => {
      await first.end();
      const placed = await customer.client.post(orders(), order, headers);
      expect([placed.status, placed.headers.get(REPLAYED)]).toEqual([201, null]);
    });
  });

  it('belongs to one caller', async () => {
    const headers = withKey();
    await shop.admin.post('/api/v1/products', lamp, headers);
    const editor = await shop.member('editor');
    const other = await editor.client.post('/api/v1/products', lamp, headers);
    expect([other.status, other.headers.get(REPLAYED)]).toEqual([201, null]);
    expect(await stored()).toHaveLength(2);
    expect((await customer.client.post('/api/v1/products', lamp, headers)).status).toBe(403);
    const order = { items: [{ productId: await shop.product(1), quantity: 1 }] };
    const orders = `/api/v1/users/${customer.id}/orders`;
    await customer.client.post(orders, order, headers);
    const stranger = await shop.member();
    expect((await stranger.client.post(orders, order, headers)).status).toBe(403);
  });

  it('can be used again after a failure', async () => {
    const headers = withKey();
    const product = await shop.product(1, { inStock: false });
    const order = { items: [{ productId: product, quantity: 1 }] };
    const orders = `/api/v1/users/${customer.id}/orders`;
    expect((await customer.client.post(orders, order, headers)).status).toBe(409);
    await shop.admin.patch(`/api/v1/products/${product}`, { inStock: true });
    const answer = await customer.client.post(orders, order, headers);
    expect([answer.status, answer.headers.get(REPLAYED)]).toEqual([201, null]);
  });

  it.each(['', 'a b', 'x'.repeat(256)])('is refused if it is malformed: %j', async (key) => {
    const answer = await shop.admin.post('/api/v1/products', lamp, withKey(key));
    expect(errorOf(answer)).toBe('400 INVALID_IDEMPOTENCY_KEY');
    expect(await stored()).toHaveLength(0);
  });

  it('is forgotten after a day', async () => {
    const headers = withKey();
    await shop.admin.post('/api/v1/products', lamp, headers);
    await app.query(
      `update idempotency_keys set created_at = created_at - interval '24 hours' where key = $1`,
      [
        createHash('sha256')
          .update(headers['idempotency-key'] ?? '')
          .digest('base64url'),
      ],
    );
    const again = await shop.admin.post('/api/v1/products', lamp, headers);
    expect([again.status, again.headers.get(REPLAYED)]).toEqual([201, null]);
    expect((await shop.admin.post('/api/v1/products', lamp, headers)).headers.get(REPLAYED)).toBe('true');
    expect(await stored()).toHaveLength(2);
  });
});
