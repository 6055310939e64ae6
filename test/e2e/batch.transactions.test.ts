import { randomUUID } from 'node:crypto';

import { Answer, Client, eventually } from '@plinth/dev/testing';

import { useApp, useClient } from '../support/app.js';
import { createProduct, errorOf, uniqueCategory } from '../support/products.js';
import { headersOf } from '../support/schemes.js';

const BATCH = '/api/v1/products/batch';

const create = (category: string, price = 10): object => {
  return { method: 'create', body: { name: 'Shelf', category, price } };
};
const update = (id: number, price: number): object => ({ method: 'update', id, body: { price } });
const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);

describe('a batch', () => {
  const app = useApp({ DATABASE_POOL_SIZE: '8', DATABASE_STATEMENT_TIMEOUT_MS: '60000' });
  const admin = useClient(app, 'admin');

  const countIn = async (category: string): Promise<unknown> =>
    (await app.query('select count(*)::int as n from products where category = $1', [category]))[0]?.['n'];

  describe.each([true, false])('with an Idempotency-Key (atomic: %s)', (atomic) => {
    const again = (category: string, by: Client = admin): (() => Promise<Answer>) => {
      const headers = { 'idempotency-key': randomUUID() };
      const operations = [create(category), ...(atomic ? [] : [create(category, -1)])];
      return () => by.post(BATCH, { atomic, operations }, headers);
    };

    it('is performed once, and repeats its whole response', async () => {
      const category = uniqueCategory('once');
      const send = again(category);
      const [first, second] = [await send(), await send()];
      expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect(await countIn(category)).toBe(1);
    });

    it('is performed once if it is sent several times at once', async () => {
      const category = uniqueCategory('raced');
      const answers = await Promise.all(Array.from({ length: 6 }, again(category)));
      const refused = answers.filter(({ status }) => status !== 200).map(errorOf);
      expect(new Set([...refused, '409 IDEMPOTENCY_KEY_IN_USE']).size).toBe(1);
      expect([refused.length < 6, await countIn(category)]).toEqual([true, 1]);
    });

    it('does not repeat its response to a caller from whom its rows have been hidden since', async () => {
      const user = await app.user('editor');
      const { bearer } = await headersOf(app, user, ['read']);
      const send = again(uniqueCategory('hidden'), app.anonymous.with(bearer));
      const { results } = (await send()).body as { results: [{ body: { id: number } }] };
      const hiding = { resourceType: 'product', userId: user.id, permissions: ['read'], effect: 'deny' };
      await admin.post('/api/v1/access-grants', { ...hiding, resourceId: results[0].body.id });
      await eventually(async () => errorOf(await send()), '403 PERMISSION_DENIED', 1_000);
    });
  });

  it('may be sent again with the same key after it failed', async () => {
    const category = uniqueCategory('failed');
    const headers = { 'idempotency-key': randomUUID() };
    const operations = [create(category), create(category, -1)];
    for (let i = 0; i < 2; i++)
      expect(errorOf(await admin.post(BATCH, { operations }, headers))).toBe('422 UNPROCESSABLE_ENTITY');
    expect(await countIn(category)).toBe(0);
  });

  it('does not deadlock with other batches of the same rows in other orders', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 12; i++) ids.push((await createProduct(admin)).product.id);
    const batches = Array.from({ length: 6 }, (_, price) => {
      const operations = ids.toSorted(() => Math.random() - 0.5).map((id) => update(id, price));
      return admin.post(BATCH, { atomic: price % 2 === 0, operations });
    });
    expect(statusesOf(await Promise.all(batches))).toEqual(Array(6).fill(200));
    const rows = await app.query('select distinct price, version from products where id = any($1)', [ids]);
    expect(rows).toEqual([{ price: expect.anything(), version: 7 }]);
  });

  it('waits for orders of the products that it deletes, and they wait for it', async () => {
    const { id: userId } = await app.user('viewer');
    const products = await Promise.all(Array.from({ length: 12 }, () => createProduct(admin)));
    const ids = products.map(({ product }) => product.id).sort((a, b) => a - b);
    const items = ids.map((productId) => ({ productId, quantity: 1 }));
    const operations = ids.toReversed().map((id) => ({ method: 'delete', id }));
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => admin.post(`/api/v1/users/${userId}/orders`, { items })),
      ...Array.from({ length: 2 }, () => admin.post(BATCH, { operations })),
    ]);
    expect(statusesOf(answers).filter((status) => status >= 500)).toEqual([]);
  });

  it('is performed once if many batches name the same entity tag', async () => {
    const { product, etag } = await createProduct(admin);
    const batches = Array.from({ length: 8 }, (_, price) =>
      admin.post(BATCH, { operations: [{ ...update(product.id, price), ifMatch: etag }] }),
    );
    const statuses = statusesOf(await Promise.all(batches));
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(7).fill(412)]);
  });
});

describe('the rate limit of a batch', () => {
  const app = useApp({ RATE_LIMIT: '10', RATE_LIMIT_WINDOW: '600' });
  const send = (by: Client, n: number, atomic = true): Promise<Answer> =>
    by.post(BATCH, { atomic, operations: Array.from({ length: n }, () => create('limited')) });
  const left = ({ headers }: Answer): number => Number(headers.get('x-ratelimit-remaining'));

  it('counts each operation, and refuses all of them if fewer are left', async () => {
    const admin = await app.as('admin');
    const before = left(await admin.get('/api/v1/products'));
    const done = await send(admin, 3);
    expect([done.status, left(done)]).toEqual([200, before - 3]);
    for (const atomic of [true, false]) {
      const refused = await send(admin, 9, atomic);
      expect(errorOf(refused)).toBe('429 RATE_LIMIT_EXCEEDED');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
    }
    expect(await app.query('select count(*)::int as n from products')).toEqual([{ n: 3 }]);
    const last = await admin.get('/api/v1/products');
    expect([last.status, left(last)]).toEqual([200, before - 6]);
  });

  it('counts one for a malformed list of operations', async () => {
    const admin = await app.as('admin');
    const before = left(await admin.get('/api/v1/products'));
    const refused = await admin.post(BATCH, { operations: { length: -100 } });
    expect([errorOf(refused), left(refused)]).toEqual(['400 VALIDATION_FAILED', before - 1]);
    const empty = await admin.post(BATCH, { operations: [] });
    expect([errorOf(empty), left(empty)]).toEqual(['422 UNPROCESSABLE_ENTITY', before - 2]);
  });

  it('allows more operations than the limit once per window, and uses up the whole window', async () => {
    const admin = await app.as('admin');
    const done = await send(admin, 11);
    expect([done.status, left(done)]).toEqual([200, 0]);
    expect((await admin.get('/api/v1/products')).status).toBe(429);
  });
});
