import { eventually, faultsOf } from '@plinth/dev/testing';

import type { ErrorBody } from '../../packages/core/src/http/errors/api-error.js';
import { useApp } from '../support/app.js';
import { dataOf, errorOf, Item, Member, Order, useShop } from '../support/shop.js';

describe('order items', () => {
  const app = useApp();
  const shop = useShop(app);
  let customer: Member;
  let editor: Member;
  let order: Order;
  let path: string;
  let lamp: number;
  let desk: number;

  beforeAll(async () => {
    editor = await shop.member('editor');
    customer = await shop.member();
  });
  beforeEach(async () => {
    lamp = await shop.product(10.1);
    desk = await shop.product(20.2);
    order = await shop.order(customer, [lamp, 1], [desk, 2]);
    path = `/api/v1/users/${customer.id}/orders/${order.id}`;
  });

  const read = async (): Promise<[Order, string]> => {
    const answer = await customer.client.get(path);
    return [answer.body as Order, answer.headers.get('etag') ?? ''];
  };

  it('are the same under their order and at the top level', async () => {
    const list = await customer.client.get(`${path}/items?sort=createdAt:asc`);
    expect(dataOf(list)).toEqual(order.items);
    expect(
      dataOf(await customer.client.get(`/api/v1/order-items?orderId=${order.id}&sort=createdAt:asc&cursor=`)),
    ).toEqual(order.items);
    expect(dataOf(await editor.client.get(`/api/v1/order-items?productId=${lamp}`))).toEqual([
      order.items[0],
    ]);
    const [{ id }] = order.items as [Item];
    const one = await customer.client.get(`${path}/items/${id}`);
    expect(one.body).toEqual(order.items[0]);
    expect((await customer.client.get(`/api/v1/order-items/${id}`)).body).toEqual(one.body);
  });

  it('are added, changed and removed while the order is pending, and the total and the validators follow', async () => {
    const [, placed] = await read();
    const product = await shop.product(0.7);
    const added = await customer.client.post(`${path}/items`, { productId: product, quantity: 3 });
    expect(added.status).toBe(201);
    const { id } = added.body as Item;
    expect(added.headers.get('location')).toBe(`${path}/items/${id}`);
    expect(added.body).toMatchObject({ orderId: order.id, unitPrice: 0.7, lineTotal: 2.1 });
    const [grown, afterAdding] = await read();
    expect(grown.total).toBe(52.6);
    expect(grown.items).toHaveLength(3);
    expect(afterAdding).not.toBe(placed);

    await shop.admin.patch(`/api/v1/products/${product}`, { price: 99 });
    const etag = added.headers.get('etag') ?? '';
    const changed = await customer.client.patch(`${path}/items/${id}`, { quantity: 1 }, { 'if-match': etag });
    expect(changed.body).toMatchObject({ quantity: 1, unitPrice: 0.7 });
    expect(
      (await customer.client.patch(`${path}/items/${id}`, { quantity: 5 }, { 'if-match': etag })).status,
    ).toBe(412);
    const [, afterChange] = await read();
    await customer.client.patch(`${path}/items/${id}`, { quantity: 1 });
    await customer.client.patch(`${path}/items/${id}`, {});
    expect(await read()).toEqual([expect.objectContaining({ total: 51.2 }), afterChange]);

    expect((await customer.client.delete(`${path}/items/${id}`, { 'if-match': etag })).status).toBe(412);
    expect((await customer.client.delete(`${path}/items/${id}`)).status).toBe(204);
    expect((await read())[0]).toMatchObject({ total: 50.5, items: order.items });
  });

  it('copy the name and price of another product', async () => {
    const other = await shop.product(3.5, { name: 'Other' });
    const [item] = order.items as [Item];
    const changed = await customer.client.patch(`${path}/items/${item.id}`, { productId: other });
    expect(changed.body).toMatchObject({ productId: other, productName: 'Other', lineTotal: 3.5 });
    const taken = await customer.client.patch(`${path}/items/${item.id}`, { productId: desk });
    expect([errorOf(taken), faultsOf(taken)]).toEqual([
      '409 ORDER_ITEM_ALREADY_EXISTS',
      ['productId NOT_UNIQUE'],
    ]);
  });

  it('are refused if they are repeated, unknown, out of stock or the last ones to be removed', async () => {
    const absent = await shop.product(1, { inStock: false });
    const add = (productId: number, quantity = 1) =>
      customer.client.post(`${path}/items`, { productId, quantity });
    const twice = await add(lamp);
    expect([errorOf(twice), faultsOf(twice)]).toEqual([
      '409 ORDER_ITEM_ALREADY_EXISTS',
      ['productId NOT_UNIQUE'],
    ]);
    expect((twice.body as ErrorBody).error.details).toEqual([
      {
        field: 'productId',
        code: 'NOT_UNIQUE',
        message: 'must be unique together with orderId, and another row has this value',
      },
    ]);
    expect(errorOf(await add(absent))).toBe('409 PRODUCT_OUT_OF_STOCK');
    expect((await add(999_999)).body).toMatchObject({
      error: { status: 422, details: [{ field: 'productId', code: 'PRODUCT_NOT_FOUND' }] },
    });
    const [one, two] = order.items as [Item, Item];
    expect((await customer.client.delete(`${path}/items/${one.id}`)).status).toBe(204);
    expect(errorOf(await customer.client.delete(`${path}/items/${two.id}`))).toBe('409 ORDER_ITEM_COUNT');
  });

  it.each<[string, (product: number) => Promise<unknown>]>([
    ['is out of stock', (id) => shop.admin.patch(`/api/v1/products/${id}`, { inStock: false })],
    ['costs more by now', (id) => shop.admin.patch(`/api/v1/products/${id}`, { price: 20.21 })],
    ['is deleted', (id) => shop.admin.delete(`/api/v1/products/${id}`)],
  ])('can be lowered, but not raised, if the product %s', async (_, change) => {
    const item = `${path}/items/${order.items[1]!.id}`;
    await change(desk);
    const { body } = await customer.client.get(item);
    for (const quantity of [3, 1000]) {
      const raised = await customer.client.patch(item, { quantity });
      expect(errorOf(raised)).toBe('409 PRODUCT_OUT_OF_STOCK');
    }
    expect((await customer.client.get(item)).body).toEqual(body);
    expect((await customer.client.patch(item, { quantity: 2 })).status).toBe(200);
    const lowered = await customer.client.patch(item, { quantity: 1 });
    expect(lowered.body).toMatchObject({ quantity: 1, unitPrice: 20.2, lineTotal: 20.2 });
  });

  it('can be raised at their own price if the product is in stock and costs no more', async () => {
    const item = `${path}/items/${order.items[1]!.id}`;
    await shop.admin.patch(`/api/v1/products/${desk}`, { price: 20 });
    const raised = await customer.client.patch(item, { quantity: 1000 });
    expect(raised.body).toMatchObject({ quantity: 1000, unitPrice: 20.2, lineTotal: 20_200 });
  });

  it('cannot be raised if a grant hides the product, as if it did not exist', async () => {
    const grant = { resourceType: 'product', resourceId: desk, userId: customer.id, permissions: ['read'] };
    const denied = await shop.admin.post('/api/v1/access-grants', { ...grant, effect: 'deny' });
    expect(denied.status).toBe(201);
    const item = `${path}/items/${order.items[1]!.id}`;
    const read = async (): Promise<number> => (await customer.client.get(`/api/v1/products/${desk}`)).status;
    await eventually(read, 403, 10_000);
    expect(errorOf(await customer.client.patch(item, { quantity: 3 }))).toBe('409 PRODUCT_OUT_OF_STOCK');
  });

  it('cannot be changed once the order is paid', async () => {
    await editor.client.patch(path, { status: 'paid' });
    const item = `${path}/items/${order.items[0]!.id}`;
    const product = await shop.product(1);
    for (const answer of [
      await customer.client.post(`${path}/items`, { productId: product, quantity: 1 }),
      await editor.client.patch(item, { quantity: 9 }),
      await customer.client.delete(item),
    ]) {
      expect(errorOf(answer)).toBe('409 ORDER_NOT_EDITABLE');
    }
  });
});
