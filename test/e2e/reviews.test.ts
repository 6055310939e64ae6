import { Answer, faultsOf } from '@plinth/dev/testing';

import { startApp, useApp } from '../support/app.js';
import { dataOf, errorOf, Member, useShop } from '../support/shop.js';

interface Review {
  readonly id: number;
  readonly rating: number;
}

describe('reviews', () => {
  const app = useApp();
  const shop = useShop(app);
  let author: Member;
  let other: Member;
  let editor: Member;
  let product: number;
  let path: string;

  beforeAll(async () => {
    [author, other, editor] = [await shop.member(), await shop.member(), await shop.member('editor')];
  });
  beforeEach(async () => {
    product = await shop.product(1);
    path = `/api/v1/products/${product}/reviews`;
  });

  const written = async (by: Member, rating: number): Promise<string> => {
    const answer = await by.client.post(path, { rating });
    return `${path}/${(answer.body as Review).id}`;
  };
  const ratedProduct = (): Promise<Answer> => shop.admin.get(`/api/v2/products/${product}`);

  it('are written by any user in their own name, once per product', async () => {
    const body = { rating: 4, comment: 'Warm light', userId: other.id, productId: 1 };
    const created = await author.client.post(path, body);
    expect(created.status).toBe(201);
    const { id } = created.body as Review;
    expect(created.body).toEqual({
      id: expect.any(Number),
      productId: product,
      userId: author.id,
      rating: 4,
      comment: 'Warm light',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(created.headers.get('location')).toBe(`${path}/${id}`);
    expect(created.headers.get('cache-control')).toBe('private, no-cache');
    for (const same of [`${path}/${id}`, `/api/v1/reviews/${id}`]) {
      expect((await other.client.get(same)).body).toEqual(created.body);
    }
    const again = await author.client.post(path, { rating: 1 });
    expect([errorOf(again), faultsOf(again)]).toEqual([
      '409 REVIEW_ALREADY_EXISTS',
      ['productId NOT_UNIQUE', 'userId NOT_UNIQUE'],
    ]);
    const nowhere = await author.client.post('/api/v1/products/999999/reviews', { rating: 1 });
    expect(errorOf(nowhere)).toBe('404 PRODUCT_NOT_FOUND');
    expect((await app.anonymous.post(path, { rating: 1 })).status).toBe(401);
  });

  it('show their authors in version 2, and get new validators when the author is renamed', async () => {
    const { id: userId, client } = await shop.member();
    const v2 = path.replace('v1', 'v2');
    const created = await client.post(v2, { rating: 4 });
    const { id } = created.body as Review;
    const author = { id: userId, name: null };
    expect(created.body).toMatchObject({ userId, author });
    const replaced = await client.put(`${v2}/${id}`, { ...(created.body as object), rating: 5 });
    expect(replaced.body).toMatchObject({ rating: 5, author });
    for (const list of [v2, '/api/v2/reviews'])
      expect(dataOf(await client.get(`${list}?userId=${userId}`))).toEqual([replaced.body]);
    expect((await client.get(`${path}/${id}`)).body).not.toHaveProperty('author');

    const others = await written(other, 3);
    const [before, unmoved] = [await client.get(`${v2}/${id}`), await client.get(others)];
    await client.patch(`/api/v1/users/${userId}`, { name: 'Ada' });
    const after = await client.get(`${v2}/${id}`, { 'if-none-match': before.headers.get('etag')! });
    expect([after.status, after.body]).toMatchObject([200, { author: { name: 'Ada' } }]);
    const { updatedAt } = after.body as { updatedAt: string };
    expect(updatedAt > (before.body as { updatedAt: string }).updatedAt).toBe(true);
    await app.query('update users set updated_at = now() where id = $1', [userId]);
    for (const [at, same] of [
      [`${v2}/${id}`, after],
      [others, unmoved],
    ] as const)
      expect((await client.get(at)).headers.get('etag')).toBe(same.headers.get('etag'));
  });

  it('determine the average of their product, and change its validators', async () => {
    const before = await ratedProduct();
    expect(before.body).toMatchObject({ rating: null, reviewCount: 0 });
    const first = await written(author, 5);
    await written(other, 4);
    await written(editor, 4);
    const rated = await ratedProduct();
    expect(rated.body).toMatchObject({ rating: 4.33, reviewCount: 3 });
    expect(rated.headers.get('etag')).not.toBe(before.headers.get('etag'));
    await author.client.patch(first, { rating: 1 });
    expect((await ratedProduct()).body).toMatchObject({ rating: 3, reviewCount: 3 });
    const changed = await ratedProduct();
    await author.client.patch(first, { comment: 'the rating stays' });
    expect((await ratedProduct()).headers.get('etag')).toBe(changed.headers.get('etag'));
    await author.client.delete(first);
    expect((await ratedProduct()).body).toMatchObject({ rating: 4, reviewCount: 2 });
  });

  it('are changed by their author and by roles with the permission', async () => {
    const review = await written(author, 3);
    expect((await author.client.patch(review, { comment: 'Better' })).body).toMatchObject({
      rating: 3,
      comment: 'Better',
    });
    expect((await author.client.put(review, { rating: 2 })).body).toMatchObject({ rating: 2, comment: null });
    expect((await editor.client.patch(review, { comment: null })).status).toBe(200);
    expect((await editor.client.delete(review)).status).toBe(403);
    expect((await author.client.delete(review)).status).toBe(204);
    expect(errorOf(await author.client.delete(review))).toBe('404 REVIEW_NOT_FOUND');
  });

  it('are listed with filters and sorts, in both styles', async () => {
    for (const [member, rating] of [
      [author, 2],
      [other, 5],
      [editor, 3],
    ] as const)
      await written(member, rating);
    const sorted = await author.client.get(`${path}?sort=rating:desc`);
    expect(dataOf<Review>(sorted).map(({ rating }) => rating)).toEqual([5, 3, 2]);
    const top = await author.client.get(`/api/v1/reviews?productId=${product}&sort=rating:desc&cursor=`);
    expect(dataOf(top)).toEqual(dataOf(sorted));
    const one = await author.client.get(`/api/v1/reviews?productId=${product}&userId=${other.id}&rating=5`);
    expect(one.body).toMatchObject({ data: [{ rating: 5 }], pagination: { total: 1 } });
    expect((await author.client.get(`${path}?rating=6`)).status).toBe(422);
    expect((await author.client.get(`${path}?rating=good`)).status).toBe(400);
    expect(dataOf(await author.client.get(`/api/v1/products/${await shop.product(1)}/reviews`))).toEqual([]);
  });

  it.each<[string, object, number, string, string]>([
    ['no rating', {}, 400, 'rating', 'REQUIRED'],
    ['a rating that is not an integer', { rating: 4.5 }, 400, 'rating', 'WRONG_TYPE'],
    ['rating 6', { rating: 6 }, 422, 'rating', 'TOO_LARGE'],
    ['rating 0', { rating: 0 }, 422, 'rating', 'TOO_SMALL'],
    ['a comment that is too long', { rating: 1, comment: 'x'.repeat(5001) }, 422, 'comment', 'TOO_LONG'],
    ['an unknown field', { rating: 1, title: 'no' }, 400, 'title', 'UNKNOWN_FIELD'],
  ])('are refused with %s', async (_name, body, status, field, code) => {
    const answer = await author.client.post(path, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ error: { details: [{ field, code }] } });
  });

  it('are deleted with their product and with their author', async () => {
    const leaver = await shop.member();
    const mine = await written(leaver, 1);
    await written(author, 5);
    expect((await leaver.client.delete(`/api/v1/users/${leaver.id}`)).status).toBe(204);
    expect((await ratedProduct()).body).toMatchObject({ rating: 5, reviewCount: 1 });
    expect((await author.client.get(mine)).status).toBe(404);
    expect((await shop.admin.delete(`/api/v1/products/${product}`)).status).toBe(204);
    expect(dataOf(await author.client.get(`/api/v1/reviews?productId=${product}`))).toEqual([]);
  });

  it('are open to callers without credentials if ANONYMOUS_ROLE allows it', async () => {
    const open = await startApp({ ANONYMOUS_ROLE: 'viewer' });
    const list = await open.anonymous.get('/api/v1/reviews');
    expect([list.status, list.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=30, must-revalidate',
    ]);
    expect((await open.anonymous.post('/api/v1/products/1/reviews', { rating: 1 })).status).toBe(401);
    expect((await open.anonymous.get('/api/v1/orders')).status).toBe(401);
    await open.stop();
  });
});
