import { Client, eventually } from '@plinth/dev/testing';

import { useApp } from '../../support/app.js';
import { dataOf, errorOf, Member, useShop } from '../../support/shop.js';

interface Listed {
  id: number;
}

/** Each rule about grants, with the responses that follow from it. */
describe('access grants', () => {
  const app = useApp();
  const shop = useShop(app);
  let product: number;

  beforeAll(async () => {
    product = await shop.product(5);
  });

  const grant = async (
    effect: 'allow' | 'deny',
    to: { userId: number } | { apiKeyId: number },
    on: object,
  ) => {
    const body = { permissions: ['read'], ...to, ...on, effect };
    const made = await shop.admin.post('/api/v1/access-grants', body);
    expect([made.status, made.text]).toMatchObject([201, expect.anything()]);
  };
  const allow = ({ id }: Member, on: object) => grant('allow', { userId: id }, on);
  const deny = ({ id }: Member, on: object) => grant('deny', { userId: id }, on);
  const on = (resourceType: string, resourceId: number, ...permissions: string[]) => ({
    resourceType,
    resourceId,
    ...(permissions.length > 0 && { permissions }),
  });
  const keyOf = async (owner: Member, ...permissions: string[]): Promise<{ id: number; client: Client }> => {
    const made = await owner.client.post('/api/v1/api-keys', { name: 'key', permissions });
    const { id, key } = made.body as { id: number; key: string };
    return { id, client: app.anonymous.with({ 'x-api-key': key }) };
  };
  const review = async (by: Member, of = product): Promise<number> => {
    const made = await by.client.post(`/api/v1/products/${of}/reviews`, { rating: 3 });
    return (made.body as Listed).id;
  };
  const listed = async (client: Client, path: string) => {
    const { status, body } = await client.get(path);
    if (status !== 200) return status;
    const { data, pagination } = body as { data: Listed[]; pagination: { total: number } };
    expect(pagination.total).toBe(data.length);
    return data.map(({ id }) => id).sort((a, b) => a - b);
  };
  const statuses = async (client: Client, ...paths: string[]): Promise<number[]> => {
    const found: number[] = [];
    for (const path of paths) found.push((await client.get(path)).status);
    return found;
  };

  it('hide a resource and everything that belongs to it from every method if they deny reading it', async () => {
    const [editor, author] = [await shop.member('editor'), await shop.member()];
    const hidden = await shop.product(1);
    const ofHidden = await review(author, hidden);
    await deny(editor, on('product', hidden));
    const path = `/api/v1/products/${hidden}`;
    const body = { name: 'x', price: 1, rating: 1 };
    for (const [method, target, sent] of [
      ['GET', path, undefined],
      ['HEAD', path, undefined],
      ['PATCH', path, {}],
      ['PUT', path, { name: body.name, price: body.price }],
      ['DELETE', path, undefined],
      ['GET', `${path}/reviews`, undefined],
      ['POST', `${path}/reviews`, { rating: 1 }],
      ['GET', `${path}/reviews/${ofHidden}`, undefined],
      ['PATCH', `${path}/reviews/${ofHidden}`, {}],
      ['PUT', `${path}/reviews/${ofHidden}`, { rating: 1 }],
      ['DELETE', `${path}/reviews/${ofHidden}`, undefined],
      ['GET', `/api/v1/reviews/${ofHidden}`, undefined],
      ['GET', `/api/v2/products/${hidden}`, undefined],
    ] as const) {
      const answer = await editor.client.request(method, target, { body: sent });
      expect([method, target, answer.status]).toEqual([method, target, 403]);
    }
    expect(await listed(editor.client, `/api/v1/reviews?productId=${hidden}`)).toEqual([]);
    expect(await listed(author.client, `/api/v1/reviews?productId=${hidden}`)).toEqual([ofHidden]);
  });

  it('hide the orders of a user, one by one and in lists, if they deny reading the user', async () => {
    const [editor, customer] = [await shop.member('editor'), await shop.member()];
    const order = await shop.order(customer, [product, 1]);
    await deny(editor, on('user', customer.id));
    const paths = [
      `/api/v1/users/${customer.id}/orders`,
      `/api/v1/users/${customer.id}/orders/${order.id}/items`,
      `/api/v1/orders/${order.id}`,
      `/api/v1/order-items/${order.items[0]!.id}`,
    ];
    expect(await statuses(editor.client, ...paths)).toEqual([403, 403, 403, 403]);
    expect(await listed(editor.client, `/api/v1/orders?userId=${customer.id}`)).toEqual([]);
    expect(await listed(editor.client, `/api/v1/order-items?orderId=${order.id}`)).toEqual([]);
    const self = await shop.member();
    await deny(self, on('user', self.id));
    expect(await statuses(self.client, '/api/v1/users/me', `/api/v1/users/${self.id}`)).toEqual([403, 403]);
  });

  it('let an order refuse a product that they hide as an unknown one', async () => {
    const customer = await shop.member();
    const [hidden, soldOut] = [await shop.product(9), await shop.product(9, { inStock: false })];
    const order = await shop.order(customer, [product, 1]);
    await deny(customer, on('product', hidden));
    await deny(customer, on('product', soldOut));
    const path = `/api/v1/users/${customer.id}/orders`;
    const line = (productId: number) => ({ productId, quantity: 1 });
    for (const [answer, field] of [
      [await customer.client.post(path, { items: [line(hidden)] }), 'items.0.productId'],
      [await customer.client.post(path, { items: [line(soldOut)] }), 'items.0.productId'],
      [await customer.client.post(path, { items: [line(999_999)] }), 'items.0.productId'],
      [await customer.client.post(`${path}/${order.id}/items`, line(hidden)), 'productId'],
      [await shop.admin.post(path, { items: [line(999_999)] }), 'items.0.productId'],
    ] as const) {
      expect(answer.body).toMatchObject({
        error: { status: 422, details: [{ field, code: 'PRODUCT_NOT_FOUND' }] },
      });
    }
    expect(await listed(customer.client, path)).toEqual([order.id]);
  });

  it('allow more than the role, but not a status transition that does not exist', async () => {
    const [customer, helper] = [await shop.member(), await shop.member()];
    const order = await shop.order(customer, [product, 1]);
    const path = `/api/v1/users/${customer.id}/orders/${order.id}`;
    const move = (by: Member, status: string) => by.client.patch(path, { status });
    expect((await move(helper, 'paid')).status).toBe(403);
    await allow(helper, on('order', order.id, 'update'));
    expect((await move(helper, 'paid')).body).toMatchObject({ status: 'paid' });
    expect(errorOf(await move(helper, 'delivered'))).toBe('409 INVALID_STATUS_TRANSITION');
    expect((await move(customer, 'shipped')).status).toBe(403);
    await allow(customer, on('user', customer.id, 'update'));
    expect((await move(customer, 'shipped')).body).toMatchObject({ status: 'shipped' });
    await deny(helper, on('user', customer.id, 'update'));
    expect((await move(helper, 'delivered')).status).toBe(403);
  });

  it('open a review if they allow the review or its product', async () => {
    const [author, helper] = [await shop.member(), await shop.member()];
    const other = await shop.product(2);
    const [first, second] = [await review(author), await review(author, other)];
    const paths = [
      `/api/v1/products/${product}/reviews/${first}`,
      `/api/v1/products/${other}/reviews/${second}`,
    ];
    const patch = (path: string) => helper.client.patch(path, { rating: 1 });
    for (const path of paths) expect((await patch(path)).status).toBe(403);
    await allow(helper, on('review', first, 'update', 'delete'));
    await allow(helper, on('product', other, 'update', 'delete'));
    for (const path of paths) {
      expect((await patch(path)).body).toMatchObject({ rating: 1, userId: author.id });
      expect((await helper.client.delete(path)).status).toBe(204);
    }
  });

  it('do not reveal the existence of rows that they do not open', async () => {
    const [customer, other, viewer] = [await shop.member(), await shop.member(), await shop.member()];
    const [shown, hidden] = [
      await shop.order(customer, [product, 1]),
      await shop.order(customer, [product, 2]),
    ];
    await shop.order(other, [product, 3]);
    await allow(viewer, on('order', shown.id));
    const get = (path: string) => viewer.client.get(path).then(errorOf);
    expect(await listed(viewer.client, '/api/v1/orders')).toEqual([shown.id]);
    expect(await listed(viewer.client, `/api/v1/orders?userId=${other.id}`)).toEqual([]);
    expect(await get(`/api/v1/orders/${hidden.id}`)).toEqual(await get('/api/v1/orders/999999'));
    expect(await get(`/api/v1/order-items/${hidden.items[0]!.id}`)).toEqual(
      await get('/api/v1/order-items/999999'),
    );
    // Lists of the orders of a user show what is opened. If nothing is opened, the user is not found.
    const ofCustomer = `/api/v1/users/${customer.id}/orders`;
    expect(await listed(viewer.client, ofCustomer)).toEqual([shown.id]);
    expect(await listed(viewer.client, `${ofCustomer}?status=paid`)).toEqual([]);
    expect(await get(`/api/v1/users/${other.id}/orders`)).toBe('404 USER_NOT_FOUND');
    expect(await get('/api/v1/users/999999/orders')).toBe('404 USER_NOT_FOUND');
    expect(await get(`${ofCustomer}/${hidden.id}`)).toEqual(await get(`${ofCustomer}/999999`));
    expect(await get(`/api/v1/users/${other.id}/orders/${shown.id}`)).toEqual(
      await get(`/api/v1/users/999999/orders/${shown.id}`),
    );
    // The same holds for users.
    await allow(viewer, on('user', customer.id));
    expect(await listed(viewer.client, '/api/v1/users')).toEqual([customer.id]);
    expect(await get(`/api/v1/users/${other.id}`)).toEqual(await get('/api/v1/users/999999'));
    // Denying a row that the caller could not see does not reveal it.
    await deny(viewer, on('user', other.id));
    const [theirs] = dataOf<Listed>(await shop.admin.get(`/api/v1/users/${other.id}/orders`));
    expect(await get(`/api/v1/orders/${theirs!.id}`)).toBe('404 ORDER_NOT_FOUND');
  });

  it('open rows to an API key only as far as its owner may access them', async () => {
    const [customer, owner] = [await shop.member(), await shop.member('editor')];
    const [theirs, own] = [await shop.order(customer, [product, 1]), await shop.order(owner, [product, 1])];
    const key = await keyOf(owner, 'create');
    expect(await listed(key.client, '/api/v1/orders')).toBe(403);
    await grant('allow', { apiKeyId: key.id }, on('order', theirs.id));
    expect(await listed(key.client, '/api/v1/orders')).toEqual([theirs.id]);
    expect(await statuses(key.client, `/api/v1/orders/${own.id}`, '/api/v1/orders/999999')).toEqual([
      403, 403,
    ]);
    const reviewed = await review(customer);
    expect(await statuses(key.client, '/api/v1/reviews', `/api/v1/reviews/${reviewed}`)).toEqual([403, 403]);
    await grant('allow', { apiKeyId: key.id }, on('review', reviewed));
    expect(await listed(key.client, '/api/v1/reviews')).toEqual([reviewed]);
    expect(await listed(key.client, `/api/v1/products/${product}/reviews`)).toEqual([reviewed]);
    const [without, unknown] = [await shop.product(1), 999_999];
    const products = [without, unknown].map((id) => `/api/v1/products/${id}/reviews`);
    expect(await statuses(key.client, ...products)).toEqual([404, 404]);
    // After its owner is demoted, the grant no longer opens the row.
    expect((await shop.admin.patch(`/api/v1/users/${owner.id}`, { role: 'viewer' })).status).toBe(200);
    expect(await statuses(key.client, `/api/v1/orders/${theirs.id}`)).toEqual([404]);
    await allow(owner, on('user', customer.id));
    expect(await statuses(key.client, `/api/v1/orders/${theirs.id}`)).toEqual([200]);
  });

  it('deny an API key what they deny its owner, but not the reverse', async () => {
    const owner = await shop.member('editor');
    const key = await keyOf(owner, 'read', 'update');
    const [first, second] = [await shop.product(1), await shop.product(1)];
    const paths = [`/api/v1/products/${first}`, `/api/v1/products/${second}`];
    await grant('allow', { apiKeyId: key.id }, on('product', first));
    await deny(owner, on('product', first));
    await grant('deny', { apiKeyId: key.id }, on('product', second));
    expect(await statuses(key.client, ...paths)).toEqual([403, 403]);
    expect(await statuses(owner.client, ...paths)).toEqual([403, 200]);
  });

  it('on a user do not cover their e-mail, password and role', async () => {
    const [user, helper] = [await shop.member(), await shop.member()];
    await allow(helper, on('user', user.id, 'read', 'update'));
    const path = `/api/v1/users/${user.id}`;
    const patch = async (body: object) => (await helper.client.patch(path, body)).status;
    expect(await patch({ name: 'Ada' })).toBe(200);
    expect(await patch({ email: `taken-over-${user.id}@example.com` })).toBe(403);
    expect(await patch({ password: 'known to the helper' })).toBe(403);
    expect(await patch({ role: 'editor' })).toBe(403);
    // The same holds for one's own account and a key that has only the grant.
    const owner = await shop.member('editor');
    const key = await keyOf(owner, 'read');
    await grant('allow', { apiKeyId: key.id }, on('user', owner.id, 'update'));
    const own = `/api/v1/users/${owner.id}`;
    expect((await key.client.patch(own, { name: 'Grace' })).status).toBe(200);
    expect((await key.client.patch(own, { email: `taken-${owner.id}@example.com` })).status).toBe(403);
  });

  it('apply to a demoted administrator, whose token still names the old role', async () => {
    const [user, other, former] = [await shop.member(), await shop.member(), await shop.member('admin')];
    await allow(former, on('user', user.id, 'update'));
    expect((await shop.admin.patch(`/api/v1/users/${former.id}`, { role: 'viewer' })).status).toBe(200);
    const patch = async ({ id }: Member) =>
      (await former.client.patch(`/api/v1/users/${id}`, { name: 'x' })).status;
    expect([await patch(user), await patch(other)]).toEqual([200, 403]);
  });

  it('are deleted with their user, whose token stays valid until it expires', async () => {
    const [customer, helper] = [await shop.member(), await shop.member()];
    const order = await shop.order(customer, [product, 1]);
    await allow(helper, on('order', order.id));
    const status = async () => (await helper.client.get(`/api/v1/orders/${order.id}`)).status;
    expect(await status()).toBe(200);
    expect((await shop.admin.delete(`/api/v1/users/${helper.id}`)).status).toBe(204);
    await eventually(status, 404, 5_000);
  });

  it('prevent a stored response from being repeated if it shows what they hide', async () => {
    const customer = await shop.member();
    const place = () =>
      customer.client.post(
        `/api/v1/users/${customer.id}/orders`,
        { items: [{ productId: product, quantity: 1 }] },
        { 'idempotency-key': `order-of-${customer.id}` },
      );
    const placed = await place();
    expect((await place()).text).toBe(placed.text);
    await deny(customer, on('order', (placed.body as Listed).id));
    expect(errorOf(await place())).toBe('403 PERMISSION_DENIED');
  });
});
