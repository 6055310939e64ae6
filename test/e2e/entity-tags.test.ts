import { useApp, useClient } from '../support/app.js';
import { Created, createProduct, errorOf, productIn, validatorsOf } from '../support/products.js';

const app = useApp();
const admin = useClient(app, 'admin');
let created: Created;

beforeEach(async () => {
  created = await createProduct(admin);
});

describe('the tag of one version', () => {
  it('is none of the other', async () => {
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

  it('is not made from the caller', async () => {
    const viewer = await app.as('viewer');
    const answer = await viewer.get(created.path, { 'if-none-match': created.etag });
    expect(answer.status).toBe(304);
  });
});

it('a tag is of one row: what is shown of two users at one URL has two (entity tags hold the id)', async () => {
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

it('a change within the second of the date is seen by the tag, not by the date', async () => {
  const { path, product } = created;
  await app.query(`update products set updated_at = '2026-01-01 00:00:00.900Z' where id = $1`, [product.id]);
  const { etag, lastModified } = validatorsOf(await admin.get(path));
  expect(lastModified).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
  expect((await admin.get(path, { 'if-modified-since': lastModified })).status).toBe(304);
  expect((await admin.patch(path, {}, { 'if-unmodified-since': lastModified })).status).toBe(200);
  const patched = await admin.patch(path, { price: 12 }, { 'if-match': etag });
  expect(productIn(patched).updatedAt > '2026-01-01T00:00:01').toBe(true);
});
