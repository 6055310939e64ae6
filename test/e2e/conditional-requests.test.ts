import { Answer } from '@plinth/dev/testing';

import { useApp, useClient } from '../support/app.js';
import { headersToCompare } from '../support/plain-http.js';
import { Created, createProduct, errorOf, productIn, validatorsOf } from '../support/products.js';

type Headers = Record<string, string>;

const shifted = (date: string, seconds: number): string =>
  new Date(Date.parse(date) + seconds * 1000).toUTCString();

/** The tag as a compressing proxy forwards it. */
const suffixed = (etag: string, suffix: string): string => etag.replace(/"$/, `${suffix}"`);

/** Builds conditional headers from the validators of a product. */
type Conditions = (validators: { etag: string; lastModified: string }) => Headers;

/**
 * A selection of conditions with the statuses of a read and of a write. preconditions.test.ts has all of
 * them.
 */
const TABLE: [string, Conditions, read: 200 | 304 | 412, write: 200 | 412][] = [
  ['If-Match: a list with the tag', ({ etag }) => ({ 'if-match': `"a,b", ,${etag} ,W/"c"` }), 200, 200],
  ['If-Match: *', () => ({ 'if-match': '*' }), 200, 200],
  ['If-Match: another tag', () => ({ 'if-match': '"other"' }), 412, 412],
  ['If-Match: the weak tag', ({ etag }) => ({ 'if-match': `W/${etag}` }), 412, 412],
  ['If-None-Match: the weak tag', ({ etag }) => ({ 'if-none-match': `W/${etag}` }), 304, 412],
  ['If-Match: the tag with -gzip', ({ etag }) => ({ 'if-match': suffixed(etag, '-gzip') }), 200, 200],
  ['If-Match: the tag with -br', ({ etag }) => ({ 'if-match': suffixed(etag, '-br') }), 200, 200],
  ['If-Match: the tag with -x', ({ etag }) => ({ 'if-match': suffixed(etag, '-x') }), 412, 412],
  [
    'If-None-Match: the tag with -gzip',
    ({ etag }) => ({ 'if-none-match': suffixed(etag, '-gzip') }),
    304,
    412,
  ],
  [
    'If-None-Match: the tag with -zstd',
    ({ etag }) => ({ 'if-none-match': suffixed(etag, '-zstd') }),
    304,
    412,
  ],
  ['If-None-Match: the tag with -x', ({ etag }) => ({ 'if-none-match': suffixed(etag, '-x') }), 200, 200],
  ['If-None-Match: *', () => ({ 'if-none-match': '*' }), 304, 412],
  [
    'If-Unmodified-Since: the time of the change',
    ({ lastModified }) => ({ 'if-unmodified-since': lastModified }),
    200,
    200,
  ],
  [
    'If-Unmodified-Since: a second before the change',
    ({ lastModified: then }) => ({ 'if-unmodified-since': shifted(then, -1) }),
    412,
    412,
  ],
  [
    'If-Modified-Since: the time of the change',
    ({ lastModified }) => ({ 'if-modified-since': lastModified }),
    304,
    200,
  ],
  // Tags take precedence over dates, and If-Match over If-None-Match (RFC 9110 §13.2.2).
  ['If-Match and If-None-Match', ({ etag }) => ({ 'if-match': etag, 'if-none-match': etag }), 304, 412],
];

describe('conditional requests', () => {
  const app = useApp();
  const admin = useClient(app, 'admin');
  let created: Created;

  beforeEach(async () => {
    created = await createProduct(admin);
  });

  it.each(TABLE)('decide reads and writes by %s (%#)', async (_, conditions, read, write) => {
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
        // Restores version 1 for the next method. A row that already has it is left out, because any update
        // would count.
        const text = `update products set (name, price, category, version, updated_at) =
          ($2, $3, $4, 1, created_at) where id = $1 and version <> 1`;
        await app.query(text, [product.id, product.name, product.price, product.category]);
      }
    }
  });

  describe('304', () => {
    it.each(['v1', 'v2'] as const)('has the validators and no body, in %s', async (version) => {
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

    it('becomes 200 with new validators after the product has changed', async () => {
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

  describe('conditions on a response that would not be 2xx', () => {
    const FAILING = { 'if-match': '"other"', 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' };

    it('are ignored: 404, 422, 400, 401, 403, 405, 406 and 415 take precedence over 412 and 304', async () => {
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

    it('are ignored by OPTIONS', async () => {
      const answer = await admin.request('OPTIONS', created.path, { headers: FAILING });
      expect(answer.status).toBe(204);
    });
  });

  describe('the tag of a version of the API', () => {
    it('does not match the tag of another version', async () => {
      const { path, etag, product } = created;
      const v2 = `/api/v2/products/${product.id}`;
      const other = validatorsOf(await admin.get(v2)).etag;
      expect(other).not.toBe(etag);
      expect((await admin.get(v2, { 'if-none-match': etag })).status).toBe(200);
      expect((await admin.get(path, { 'if-none-match': other })).status).toBe(200);
      const writes = [
        await admin.patch(v2, { name: 'x' }, { 'if-match': etag }),
        await admin.put(v2, { name: 'x', price: 1 }, { 'if-match': etag }),
        await admin.delete(v2, { 'if-match': etag }),
        await admin.patch(path, { name: 'x' }, { 'if-match': other }),
      ];
      expect(writes.map(errorOf)).toEqual(writes.map(() => '412 PRECONDITION_FAILED'));
      const patched = await admin.patch(v2, { name: 'x' }, { 'if-match': `${etag}, ${other}` });
      expect(patched.status).toBe(200);
    });

    it('does not depend on the caller', async () => {
      const viewer = await app.as('viewer');
      const answer = await viewer.get(created.path, { 'if-none-match': created.etag });
      expect(answer.status).toBe(304);
    });
  });

  it('distinguish two users at one URL, because entity tags contain the id of the row', async () => {
    const [one, other] = [await app.as('viewer'), await app.as('viewer')];
    const me = '/api/v1/users/me';
    const { etag } = validatorsOf(await one.get(me));
    expect(validatorsOf(await other.get(me)).etag).not.toBe(etag);
    expect((await one.get(me, { 'if-none-match': etag })).status).toBe(304);
    expect((await other.get(me, { 'if-none-match': etag })).status).toBe(200);
    const { id } = (await one.get(me)).body as { id: number };
    expect(validatorsOf(await admin.get(`/api/v1/users/${id}`)).etag).toBe(etag);
    const reviewed = await createProduct(admin);
    const review = await one.post(`${reviewed.path}/reviews`, { rating: 4 });
    const paths = [`${reviewed.path}/reviews`, '/api/v1/reviews'].map(
      (path) => `${path}/${(review.body as { id: number }).id}`,
    );
    for (const path of paths) {
      for (const client of [one, other, admin]) {
        expect(validatorsOf(await client.get(path)).etag).toBe(validatorsOf(review).etag);
      }
    }
    const second = await createProduct(admin);
    expect((await admin.patch(second.path, {}, { 'if-match': created.etag })).status).toBe(412);
  });

  it('detect a change within the same second by the tag, but not by the date', async () => {
    const { path, product } = created;
    await app.query(`update products set updated_at = '2026-01-01 00:00:00.900Z' where id = $1`, [
      product.id,
    ]);
    const { etag, lastModified } = validatorsOf(await admin.get(path));
    expect(lastModified).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
    expect((await admin.get(path, { 'if-modified-since': lastModified })).status).toBe(304);
    expect((await admin.patch(path, {}, { 'if-unmodified-since': lastModified })).status).toBe(200);
    const patched = await admin.patch(path, { price: 12 }, { 'if-match': etag });
    expect(productIn(patched).updatedAt > '2026-01-01T00:00:01').toBe(true);
  });
});
