import { Client, errorOf, startApp, TestApp } from '@plinth/dev/testing';

import { AppModule } from '../../src/app.module.js';

describe('reviews', () => {
  let app: TestApp;
  let product: string;
  let author: Client;

  beforeAll(async () => {
    app = await startApp(AppModule);
    author = await app.as('viewer');
    const body = { name: 'Lamp', price: 20, category: 'lamps' };
    const created = await (await app.as('editor')).post('/api/v1/products', body);
    product = `/api/v1/products/${(created.body as { id: number }).id}`;
  });
  afterAll(() => app.stop());

  it('determine the rating of their product', async () => {
    const before = (await author.get(product)).headers.get('etag');
    expect((await author.post(`${product}/reviews`, { rating: 5, comment: 'Warm light.' })).status).toBe(201);
    await (await app.as('viewer')).post(`${product}/reviews`, { rating: 2 });
    const after = await author.get(product);
    expect(after.body).toMatchObject({ rating: 3.5 });
    expect(after.headers.get('etag')).not.toBe(before);
  });

  it('are limited to one per user and product', async () => {
    const again = await author.post(`${product}/reviews`, { rating: 1 });
    expect(errorOf(again)).toBe('409 REVIEW_ALREADY_EXISTS');
  });

  it('are changed only by their author', async () => {
    const reviewer = await app.as('viewer');
    const { id } = (await reviewer.post(`${product}/reviews`, { rating: 4 })).body as { id: number };
    const review = `${product}/reviews/${id}`;
    expect((await reviewer.patch(review, { rating: 3 })).body).toMatchObject({ rating: 3 });
    expect(errorOf(await author.patch(review, { rating: 1 }))).toBe('403 PERMISSION_DENIED');
  });
});
