import { Client, errorOf, startApp, TestApp } from '@plinth/dev/testing';

import { AppModule } from '../../src/app.module.js';

interface Order {
  readonly id: number;
  readonly total: number;
  readonly status: string;
}

describe('orders', () => {
  let app: TestApp;
  let editor: Client;
  let customer: Client;
  let orders: string;

  beforeAll(async () => {
    app = await startApp(AppModule);
    [editor, customer] = [await app.as('editor'), await app.as('viewer')];
    const { id } = (await customer.get('/api/v1/users/me')).body as { id: number };
    orders = `/api/v1/users/${id}/orders`;
  });
  afterAll(() => app.stop());

  async function product(values: object = {}): Promise<number> {
    const created = await editor.post('/api/v1/products', {
      name: 'Lamp',
      price: 20,
      category: 'lamps',
      ...values,
    });
    return (created.body as { id: number }).id;
  }
  const place = async (productId: number, quantity = 1): Promise<Order> =>
    (await customer.post(orders, { items: [{ productId, quantity }] })).body as Order;

  it('keep the price at which they were placed', async () => {
    const lamp = await product();
    const order = await place(lamp, 3);
    expect(order).toMatchObject({ status: 'pending', total: 60 });
    await editor.patch(`/api/v1/products/${lamp}`, { price: 99 });
    expect((await customer.get(`${orders}/${order.id}`)).body).toMatchObject({ total: 60 });
  });

  it('are refused if a product is out of stock', async () => {
    const items = [{ productId: await product({ inStock: false }), quantity: 1 }];
    expect(errorOf(await customer.post(orders, { items }))).toBe('409 PRODUCT_OUT_OF_STOCK');
  });

  it('are placed once if a request is repeated with its Idempotency-Key', async () => {
    const body = { items: [{ productId: await product(), quantity: 1 }] };
    const key = { 'idempotency-key': 'the only order of this test' };
    const [first, again] = [await customer.post(orders, body, key), await customer.post(orders, body, key)];
    expect(again.body).toEqual(first.body);
  });

  it('move from one status to the next, and not back', async () => {
    const { id } = await place(await product());
    const order = `${orders}/${id}`;
    expect((await editor.patch(order, { status: 'paid' })).body).toMatchObject({ status: 'paid' });
    expect(errorOf(await editor.patch(order, { status: 'pending' }))).toBe('409 INVALID_STATUS_TRANSITION');
  });

  it('are visible to their customer and to the staff only', async () => {
    const { id } = await place(await product());
    const stranger = await app.as('viewer');
    expect((await editor.get(`${orders}/${id}`)).status).toBe(200);
    expect((await stranger.get(`${orders}/${id}`)).status).toBe(403);
  });
});
