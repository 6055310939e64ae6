import { Client, errorOf, exampleBody, startApp, TestApp } from '@plinth/dev/testing';

import { AppModule } from '../../src/app.module.js';

interface Product {
  readonly id: number;
  readonly name: string;
  readonly price: number;
}
interface Page {
  readonly data: readonly Product[];
  readonly pagination: { readonly total: number; readonly nextCursor: string | null };
}

const PRODUCTS = '/api/v1/products';

describe('products', () => {
  let app: TestApp;
  let editor: Client;
  let viewer: Client;

  beforeAll(async () => {
    app = await startApp(AppModule);
    [editor, viewer] = [await app.as('editor'), await app.as('viewer')];
  });
  afterAll(() => app.stop());

  const body = (values: object = {}): object => ({
    name: 'Desk lamp',
    price: 49.9,
    category: 'lamps',
    ...values,
  });
  async function create(values: object = {}): Promise<{ path: string; etag: string; product: Product }> {
    const created = await editor.post(PRODUCTS, body(values));
    const product = created.body as Product;
    return { path: `${PRODUCTS}/${product.id}`, etag: created.headers.get('etag') ?? '', product };
  }

  it('are created, and found at the location in the response', async () => {
    const created = await editor.post(PRODUCTS, await exampleBody(app.baseUrl, PRODUCTS));
    expect(created.status).toBe(201);
    const found = await viewer.get(created.headers.get('location') ?? '');
    expect(found.status).toBe(200);
    expect(found.body).toEqual(created.body);
  });

  it.each([
    ['without a name', body({ name: undefined }), '400 VALIDATION_FAILED'],
    ['with a price below zero', body({ price: -1 }), '422 UNPROCESSABLE_ENTITY'],
    ['with an unknown field', body({ colour: 'red' }), '400 VALIDATION_FAILED'],
  ])('are not created %s', async (_, wrong, expected) => {
    expect(errorOf(await editor.post(PRODUCTS, wrong))).toBe(expected);
  });

  it('change only if the If-Match header names their current version', async () => {
    const { path, etag } = await create();
    const changed = await editor.patch(path, { price: 39.9 }, { 'if-match': etag });
    expect(changed.body).toMatchObject({ name: 'Desk lamp', price: 39.9 });
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(errorOf(await editor.patch(path, { price: 1 }, { 'if-match': etag }))).toBe(
      '412 PRECONDITION_FAILED',
    );
    expect((await viewer.get(path)).body).toMatchObject({ price: 39.9 });
  });

  it('are not sent again to a client that has the current version', async () => {
    const { path, etag } = await create();
    expect((await viewer.get(path, { 'if-none-match': etag })).status).toBe(304);
  });

  it('are replaced as a whole by PUT', async () => {
    const { path } = await create({ inStock: false });
    const replaced = await editor.put(path, { name: 'Floor lamp', price: 99, category: null, inStock: true });
    expect(replaced.body).toMatchObject({ name: 'Floor lamp', price: 99, category: null, inStock: true });
  });

  it('are listed with filters, a sort and pages', async () => {
    for (const price of [30, 10, 20]) await create({ price, category: 'chairs' });
    const list = `${PRODUCTS}?category=chairs&sort=price:desc&limit=2`;
    const first = (await viewer.get(`${list}&page=1`)).body as Page;
    expect(first.data.map(({ price }) => price)).toEqual([30, 20]);
    expect(first.pagination.total).toBe(3);
    const second = (await viewer.get(`${list}&page=2`)).body as Page;
    expect(second.data.map(({ price }) => price)).toEqual([10]);
    const cheap = (await viewer.get(`${PRODUCTS}?category=chairs&maxPrice=20`)).body as Page;
    expect(cheap.data).toHaveLength(2);
    expect((await viewer.get(`${PRODUCTS}?colour=red`)).status).toBe(400);
  });

  it('are written only by editors, and deleted only by administrators', async () => {
    const { path } = await create();
    expect(errorOf(await viewer.patch(path, { price: 1 }))).toBe('403 PERMISSION_DENIED');
    expect(errorOf(await app.anonymous.get(path))).toBe('401 AUTHENTICATION_REQUIRED');
    expect(errorOf(await editor.delete(path))).toBe('403 PERMISSION_DENIED');
    expect((await (await app.as('admin')).delete(path)).status).toBe(204);
    expect(errorOf(await viewer.get(path))).toBe('404 PRODUCT_NOT_FOUND');
  });
});
