import { Answer } from '@plinth/dev/testing';

import { useApp, useClient } from '../support/app.js';
import { headersToCompare } from '../support/plain-http.js';
import { Created, createProduct, errorOf, validatorsOf } from '../support/products.js';

type Headers = Record<string, string>;

const shifted = (date: string, seconds: number): string =>
  new Date(Date.parse(date) + seconds * 1000).toUTCString();

/** Conditional headers by what they mean, for the validators of a product. */
type Conditions = (validators: { etag: string; lastModified: string }) => Headers;

/** Some conditions, with the outcome of a read and of a write; preconditions.test.ts has all of them. */
const TABLE: [string, Conditions, read: 200 | 304 | 412, write: 200 | 412][] = [
  ['If-Match: a list with it', ({ etag }) => ({ 'if-match': `"a,b", ,${etag} ,W/"c"` }), 200, 200],
  ['If-Match: *', () => ({ 'if-match': '*' }), 200, 200],
  ['If-Match: another tag', () => ({ 'if-match': '"other"' }), 412, 412],
  ['If-Match: weak', ({ etag }) => ({ 'if-match': `W/${etag}` }), 412, 412],
  ['If-None-Match: weak', ({ etag }) => ({ 'if-none-match': `W/${etag}` }), 304, 412],
  ['If-None-Match: *', () => ({ 'if-none-match': '*' }), 304, 412],
  ['If-Unmodified-Since: then', ({ lastModified }) => ({ 'if-unmodified-since': lastModified }), 200, 200],
  [
    'If-Unmodified-Since: a second before',
    ({ lastModified: then }) => ({ 'if-unmodified-since': shifted(then, -1) }),
    412,
    412,
  ],
  ['If-Modified-Since: then', ({ lastModified }) => ({ 'if-modified-since': lastModified }), 304, 200],
  // Tags go before dates, If-Match before If-None-Match (RFC 9110 §13.2.2).
  ['If-Match and If-None-Match', ({ etag }) => ({ 'if-match': etag, 'if-none-match': etag }), 304, 412],
];

describe('conditional requests', () => {
  const app = useApp();
  const admin = useClient(app, 'admin');
  let created: Created;

  beforeEach(async () => {
    created = await createProduct(admin);
  });

  it.each(TABLE)('%s: %#', async (_, conditions, read, write) => {
    const headers = conditions(created);
    const { path, product } = created;
    const get = await admin.get(path, headers);
    expect(get.status).toBe(read);
    expect((await admin.head(path, headers)).status).toBe(read);
    if (read === 412) expect(errorOf(get)).toBe('412 PRECONDITION_FAILED');

    for (const request of [
      () => admin.patch(path, { name: 'Patched' }, headers),
      () => admin.put(path, { name: 'Put', price: 1 }, headers),
      () => admin.patch(path, {}, headers),
      () => admin.put(path, { ...product }, headers),
      () => admin.delete(path, headers),
    ]) {
      const answer = await request();
      const isDelete = answer.status === 204;
      expect(isDelete ? 200 : answer.status).toBe(write);
      if (write === 412) {
        expect(errorOf(answer)).toBe('412 PRECONDITION_FAILED');
        expect((await admin.get(path)).body).toEqual(product);
      } else if (!isDelete) {
        // Back to version 1 for the next method; a row that is at it stays, for any other update would count.
        const text = `update products set (name, price, category, version, updated_at) =
          ($2, $3, $4, 1, created_at) where id = $1 and version <> 1`;
        await app.query(text, [product.id, product.name, product.price, product.category]);
      }
    }
  });

  describe('304', () => {
    it.each(['v1', 'v2'] as const)('has the validators and no body, %s', async (version) => {
      const { path, etag } = await createProduct(admin, {}, version);
      const full = await admin.get(path);
      for (const method of ['GET', 'HEAD']) {
        const answer = await admin.request(method, path, { headers: { 'if-none-match': etag } });
        expect([answer.status, answer.text]).toEqual([304, '']);
        for (const header of ['etag', 'last-modified', 'cache-control', 'vary']) {
          expect(answer.headers.get(header)).toBe(full.headers.get(header));
          expect(answer.headers.get(header)).toBeTruthy();
        }
        expect(answer.headers.get('content-type')).toBeNull();
      }
      const head = await admin.head(path, { 'if-none-match': '"other"' });
      expect(headersToCompare(head.headers)).toEqual(headersToCompare(full.headers));
    });

    it('becomes 200 with new validators when the product has changed', async () => {
      const { path, lastModified } = created;
      await app.query(`update products set updated_at = updated_at - interval '1 minute' where id = $1`, [
        created.product.id,
      ]);
      const before = validatorsOf(await admin.get(path));
      expect(before.lastModified).toBe(shifted(lastModified, -60));
      const patched = await admin.patch(path, { price: 11 });
      for (const headers of [
        { 'if-none-match': before.etag },
        { 'if-modified-since': before.lastModified },
      ] as Headers[]) {
        const answer = await admin.get(path, headers);
        expect([answer.status, answer.body]).toEqual([200, patched.body]);
        expect(validatorsOf(answer)).toEqual(validatorsOf(patched));
      }
      expect(Date.parse(validatorsOf(patched).lastModified)).toBeGreaterThan(Date.parse(before.lastModified));
    });
  });

  describe('conditions are not looked at where the answer would not be 2xx', () => {
    const FAILING = { 'if-match': '"other"', 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' };

    it('404, 422, 400, 401, 403, 405, 406, 415 go before 412 and 304', async () => {
      const { path } = created;
      const gone = (await createProduct(admin)).path;
      await admin.delete(gone);
      const viewer = await app.as('viewer');
      const body = { name: 'a', price: 1 };
      const form = { ...FAILING, 'content-type': 'text/plain' };
      const cases: [number, Answer][] = [
        [404, await admin.get(gone, FAILING)],
        [404, await admin.get(gone, { 'if-none-match': '*' })],
        [404, await admin.put(gone, body, FAILING)],
        [404, await admin.put(gone, body, { 'if-match': '*' })],
        [404, await admin.put(gone, body, { 'if-none-match': '*' })],
        [404, await admin.patch(gone, {}, FAILING)],
        [404, await admin.delete(gone, FAILING)],
        [422, await admin.put(path, { ...body, price: -1 }, FAILING)],
        [422, await admin.patch(path, { name: '' }, FAILING)],
        [400, await admin.patch(path, { price: '1' }, FAILING)],
        [400, await admin.put(path, '{', FAILING)],
        [400, await admin.get('/api/v1/products/x', FAILING)],
        [401, await app.anonymous.patch(path, {}, FAILING)],
        [403, await viewer.delete(path, FAILING)],
        [405, await admin.post(path, {}, FAILING)],
        [406, await admin.get(path, { ...FAILING, accept: 'text/html' })],
        [415, await admin.put(path, 'a=b', form)],
      ];
      expect(cases.map(([, { status }]) => status)).toEqual(cases.map(([status]) => status));
      expect(validatorsOf(await admin.get(path)).etag).toBe(created.etag);
    });

    it('nor by OPTIONS', async () => {
      const answer = await admin.request('OPTIONS', created.path, { headers: FAILING });
      expect(answer.status).toBe(204);
    });
  });
});
