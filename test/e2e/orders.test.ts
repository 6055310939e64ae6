import { useApp } from '../support/app.js';
import { dataOf, errorOf, Member, Order, useShop } from '../support/shop.js';

describe('orders', () => {
  const app = useApp();
  const shop = useShop(app);
  let customer: Member;
  let editor: Member;
  let orders: string;

  beforeAll(async () => {
    editor = await shop.member('editor');
  });
  beforeEach(async () => {
    customer = await shop.member();
    orders = `/api/v1/users/${customer.id}/orders`;
  });

  describe('placing', () => {
    it('copies names and prices of products, and sums them in decimal', async () => {
      const [lamp, desk] = [await shop.product(0.1, { name: 'Lamp' }), await shop.product(0.2)];
      const items = [
        { productId: lamp, quantity: 3 },
        { productId: desk, quantity: 1 },
      ];
      const placed = await customer.client.post(orders, { items, status: 'paid', total: 0 });
      const order = placed.body as Order;
      expect(placed.status).toBe(201);
      expect(placed.headers.get('location')).toBe(`${orders}/${order.id}`);
      expect(order).toEqual({
        id: expect.any(Number),
        userId: customer.id,
        status: 'pending',
        total: 0.5,
        items: [
          {
            id: expect.any(Number),
            orderId: order.id,
            productId: lamp,
            productName: 'Lamp',
            unitPrice: 0.1,
            quantity: 3,
            lineTotal: 0.3,
          },
          expect.objectContaining({ productId: desk, quantity: 1, lineTotal: 0.2 }),
        ],
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
      await shop.admin.patch(`/api/v1/products/${lamp}`, { price: 99, name: 'Dearer' });
      const read = await customer.client.get(`${orders}/${order.id}`);
      expect(read.body).toEqual(order);
      expect(read.headers.get('etag')).toBe(placed.headers.get('etag'));
      const copy = await customer.client.get(`${orders}/${order.id}`, {
        'if-none-match': read.headers.get('etag') ?? '',
      });
      expect(copy.status).toBe(304);
      expect((await customer.client.get(`/api/v1/orders/${order.id}`)).body).toEqual(order);
    });

    it('stores nothing if one line is invalid', async () => {
      const [good, gone] = [await shop.product(1), await shop.product(1, { inStock: false })];
      const line = (productId: number, quantity = 1): object => ({ productId, quantity });
      const unknown = await customer.client.post(orders, { items: [line(good), line(99_999_999_999)] });
      expect(errorOf(unknown)).toBe('422 UNPROCESSABLE_ENTITY');
      expect(unknown.body).toMatchObject({
        error: { details: [{ field: 'items.1.productId', code: 'PRODUCT_NOT_FOUND' }] },
      });
      const absent = await customer.client.post(orders, { items: [line(good), line(gone)] });
      expect(errorOf(absent)).toBe('409 PRODUCT_OUT_OF_STOCK');
      const twice = await customer.client.post(orders, { items: [line(good), line(good)] });
      expect(twice.body).toMatchObject({
        error: { status: 422, details: [{ field: 'items.1.productId', code: 'DUPLICATE' }] },
      });
      expect(dataOf(await customer.client.get(orders))).toEqual([]);
      expect(dataOf(await customer.client.get('/api/v1/order-items'))).toEqual([]);
    });

    it.each<[string, object, number, string, string]>([
      ['no items', {}, 400, 'items', 'REQUIRED'],
      ['an empty list', { items: [] }, 422, 'items', 'TOO_FEW'],
      [
        '101 items',
        { items: Array.from({ length: 101 }, (_, i) => ({ productId: i + 1, quantity: 1 })) },
        422,
        'items',
        'TOO_MANY',
      ],
      ['quantity 0', { items: [{ productId: 1, quantity: 0 }] }, 422, 'items.0.quantity', 'TOO_SMALL'],
      ['quantity 1001', { items: [{ productId: 1, quantity: 1001 }] }, 422, 'items.0.quantity', 'TOO_LARGE'],
    ])('refuses %s', async (_name, body, status, field, code) => {
      const answer = await customer.client.post(orders, body);
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ error: { details: [{ field, code }] } });
    });

    it('keeps totals that a JSON number holds exactly, and refuses others', async () => {
      const dear = [await shop.product(9_999_999_999.99), await shop.product(9_999_999_999.99)] as const;
      const { total } = await shop.order(customer, [dear[0], 1000]);
      expect(total).toBe(9_999_999_999_990);
      const items = dear.map((productId) => ({ productId, quantity: 1000 }));
      const refused = await customer.client.post(orders, { items });
      expect(errorOf(refused)).toBe('422 ORDER_TOTAL_TOO_LARGE');
    });

    it('is done by the staff for other users, and requires the user to exist', async () => {
      const items = [{ productId: await shop.product(5), quantity: 1 }];
      expect((await editor.client.post(orders, { items })).status).toBe(201);
      expect(errorOf(await editor.client.post('/api/v1/users/999999/orders', { items }))).toBe(
        '404 USER_NOT_FOUND',
      );
      expect(errorOf(await editor.client.get('/api/v1/users/999999/orders'))).toBe('404 USER_NOT_FOUND');
    });
  });

  describe('status', () => {
    it('is moved by the staff according to the table of transitions', async () => {
      const { id } = await shop.order(customer, [await shop.product(1), 1]);
      for (const status of ['shipped', 'delivered', 'pending']) {
        const refused = await editor.client.patch(`${orders}/${id}`, { status });
        expect(errorOf(refused)).toBe('409 INVALID_STATUS_TRANSITION');
      }
      for (const status of ['paid', 'shipped', 'delivered']) {
        expect((await editor.client.patch(`${orders}/${id}`, { status })).body).toMatchObject({ status });
      }
      expect(errorOf(await editor.client.patch(`${orders}/${id}`, { status: 'cancelled' }))).toBe(
        '409 INVALID_STATUS_TRANSITION',
      );
      expect((await editor.client.patch(`${orders}/${id}`, { status: 'lost' })).status).toBe(422);
      expect((await editor.client.patch(`${orders}/${id}`, { items: [] })).status).toBe(400);
    });

    it('is cancelled by its customer, who may make no other transition', async () => {
      const { id } = await shop.order(customer, [await shop.product(1), 1]);
      const paid = await customer.client.patch(`${orders}/${id}`, { status: 'paid' });
      expect(errorOf(paid)).toBe('403 PERMISSION_DENIED');
      const before = await customer.client.patch(`${orders}/${id}`, {});
      const cancelled = await customer.client.patch(`${orders}/${id}`, { status: 'cancelled' });
      expect(cancelled.body).toMatchObject({ status: 'cancelled' });
      expect(cancelled.headers.get('etag')).not.toBe(before.headers.get('etag'));
      expect((await customer.client.get(`${orders}/${id}`)).headers.get('etag')).toBe(
        cancelled.headers.get('etag'),
      );
    });
  });

  describe('deleting', () => {
    it('requires the permission, and a pending or cancelled order', async () => {
      const product = await shop.product(1);
      const { id } = await shop.order(customer, [product, 1]);
      const path = `${orders}/${id}`;
      expect((await customer.client.delete(path)).status).toBe(403);
      expect((await editor.client.delete(path)).status).toBe(403);
      await editor.client.patch(path, { status: 'paid' });
      expect(errorOf(await shop.admin.delete(path))).toBe('409 ORDER_NOT_DELETABLE');
      await editor.client.patch(path, { status: 'cancelled' });
      expect((await shop.admin.delete(path)).status).toBe(204);
      expect(errorOf(await shop.admin.delete(path))).toBe('404 ORDER_NOT_FOUND');
      expect(dataOf(await shop.admin.get(`/api/v1/order-items?orderId=${id}`))).toEqual([]);
    });

    it('is refused for a user with orders', async () => {
      const { id } = await shop.order(customer, [await shop.product(1), 1]);
      const user = `/api/v1/users/${customer.id}`;
      expect(errorOf(await customer.client.delete(user))).toBe('409 USER_HAS_ORDERS');
      await shop.admin.delete(`${orders}/${id}`);
      expect((await customer.client.delete(user)).status).toBe(204);
    });

    it('of a product keeps its order lines without it, and makes their orders new versions', async () => {
      const [gone, kept] = [await shop.product(1.5, { name: 'Gone' }), await shop.product(2)];
      const { id, items } = await shop.order(customer, [gone, 2], [kept, 1]);
      const before = await customer.client.get(`${orders}/${id}`);
      expect((await shop.admin.delete(`/api/v1/products/${gone}`)).status).toBe(204);
      const after = await customer.client.get(`${orders}/${id}`);
      expect(after.body).toMatchObject({
        total: 5,
        items: [{ productId: null, productName: 'Gone', unitPrice: 1.5 }, { productId: kept }],
      });
      expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'));
      expect((await customer.client.get(`${orders}/${id}/items/${items[0]!.id}`)).body).toMatchObject({
        productId: null,
      });
    });
  });

  describe('orders of another customer', () => {
    it('are not found at the top level, nor are their items, even by conditional requests', async () => {
      const { id, items } = await shop.order(customer, [await shop.product(3), 2]);
      const stranger = await shop.member();
      for (const path of [`/api/v1/orders/${id}`, `/api/v1/order-items/${items[0]!.id}`]) {
        const etag = (await customer.client.get(path)).headers.get('etag') ?? '';
        for (const headers of [{}, { 'if-none-match': etag }, { 'if-none-match': '*' }, { 'if-match': 'x' }])
          expect((await stranger.client.get(path, headers as Record<string, string>)).status).toBe(404);
      }
    });

    it('cannot be reached with the cursors of their customer', async () => {
      for (const quantity of [1, 2]) await shop.order(customer, [await shop.product(1), quantity]);
      const stranger = await shop.member();
      const paths = [
        ({ id }: Member) => `/api/v1/users/${id}/orders`,
        () => '/api/v1/orders',
        () => '/api/v1/order-items',
      ];
      for (const path of paths) {
        const page = await customer.client.get(`${path(customer)}?limit=1&cursor=`);
        const { nextCursor } = (page.body as { pagination: { nextCursor: string } }).pagination;
        const answer = await stranger.client.get(`${path(stranger)}?limit=1&cursor=${nextCursor}`);
        expect(errorOf(answer)).toBe('400 INVALID_CURSOR');
      }
    });
  });

  it('are listed with filters and sorts in both styles, with the same result on every path', async () => {
    const product = await shop.product(1);
    const placed: Order[] = [];
    for (const quantity of [3, 1, 2]) placed.push(await shop.order(customer, [product, quantity]));
    await editor.client.patch(`${orders}/${placed[0]!.id}`, { status: 'paid' });
    const byTotal = await customer.client.get(`${orders}?sort=total:asc`);
    expect(dataOf<Order>(byTotal).map(({ total }) => total)).toEqual([1, 2, 3]);
    expect(dataOf(await customer.client.get('/api/v1/orders?sort=total:asc'))).toEqual(dataOf(byTotal));
    expect(dataOf(await editor.client.get(`/api/v1/orders?userId=${customer.id}&sort=total:asc`))).toEqual(
      dataOf(byTotal),
    );
    const paid = await customer.client.get(`${orders}?status=paid&cursor=`);
    expect(dataOf<Order>(paid).map(({ id }) => id)).toEqual([placed[0]!.id]);
    const walk: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await customer.client.get(`${orders}?sort=total:desc&limit=1&cursor=${cursor}`);
      walk.push(...dataOf<Order>(page).map(({ total }) => total));
      cursor = (page.body as { pagination: { nextCursor: string | null } }).pagination.nextCursor;
    }
    expect(walk).toEqual([3, 2, 1]);
    const past = await customer.client.get(`${orders}?page=9`);
    expect(past.body).toMatchObject({ data: [], pagination: { total: 3 } });
    expect((await customer.client.get(`${orders}?sort=userId:asc`)).status).toBe(400);
  });
});
