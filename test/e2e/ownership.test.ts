import { useApp } from '../support/app.js';
import { dataOf, errorOf, Member, Order, useShop } from '../support/shop.js';

describe('what belongs to somebody', () => {
  const app = useApp();
  const shop = useShop(app);
  let owner: Member;
  let stranger: Member;
  let order: Order;
  let item: number;

  beforeAll(async () => {
    [owner, stranger] = [await shop.member(), await shop.member()];
    const product = await shop.product(3);
    order = await shop.order(owner, [product, 2]);
    await shop.order(stranger, [product, 1]);
    item = order.items[0]!.id;
  });

  it('is refused to others by its own path, before the body is read', async () => {
    const base = `/api/v1/users/${owner.id}/orders`;
    const requests: [method: string, path: string][] = [
      ['GET', base],
      ['HEAD', base],
      ['POST', base],
      ['GET', `${base}/${order.id}`],
      ['PATCH', `${base}/${order.id}`],
      ['DELETE', `${base}/${order.id}`],
      ['GET', `${base}/${order.id}/items`],
      ['POST', `${base}/${order.id}/items`],
      ['GET', `${base}/${order.id}/items/${item}`],
      ['PATCH', `${base}/${order.id}/items/${item}`],
      ['DELETE', `${base}/${order.id}/items/${item}`],
    ];
    const etag = (await owner.client.get(`${base}/${order.id}`)).headers.get('etag') ?? '';
    for (const [method, path] of requests) {
      const body = method === 'POST' || method === 'PATCH' ? '{ no json' : undefined;
      const headers = { 'if-none-match': etag, 'idempotency-key': 'a-key' };
      const answer = await stranger.client.request(method, path, { body, headers });
      expect([method, path, answer.status]).toEqual([method, path, 403]);
    }
  });

  it('is not there under the path of another: access/model.test.ts writes there too', async () => {
    const base = `/api/v1/users/${stranger.id}/orders/${order.id}`;
    for (const client of [stranger.client, shop.admin])
      for (const path of [base, `${base}/items`, `${base}/items/${item}`])
        expect((await client.get(path)).status).toBe(404);
  });

  it('is in no list of another, whatever filter, sort or page', async () => {
    for (const query of [
      '',
      `userId=${owner.id}`,
      'sort=total:asc',
      'cursor=',
      'page=1&limit=100',
      'status=pending',
    ]) {
      const listed = dataOf<Order>(await stranger.client.get(`/api/v1/orders?${query}`));
      expect(listed.filter(({ userId }) => userId !== stranger.id)).toEqual([]);
    }
    const counted = await stranger.client.get(`/api/v1/orders?userId=${owner.id}`);
    expect(counted.body).toMatchObject({ pagination: { total: 0 } });
    expect(dataOf(await stranger.client.get(`/api/v1/order-items?orderId=${order.id}`))).toEqual([]);
  });

  it('is not there at the top for another, even to conditional requests', async () => {
    for (const path of [`/api/v1/orders/${order.id}`, `/api/v1/order-items/${item}`]) {
      const etag = (await owner.client.get(path)).headers.get('etag') ?? '';
      for (const headers of [{}, { 'if-none-match': etag }, { 'if-none-match': '*' }, { 'if-match': 'x' }]) {
        expect((await stranger.client.get(path, headers as Record<string, string>)).status).toBe(404);
      }
    }
  });

  it('is not reached by the cursor of another', async () => {
    await shop.order(owner, [await shop.product(1), 1]);
    const paths = [
      (member: Member) => `/api/v1/users/${member.id}/orders`,
      () => '/api/v1/orders',
      () => '/api/v1/order-items',
    ];
    for (const path of paths) {
      const page = await owner.client.get(`${path(owner)}?limit=1&cursor=`);
      const { nextCursor } = (page.body as { pagination: { nextCursor: string } }).pagination;
      const answer = await stranger.client.get(`${path(stranger)}?limit=1&cursor=${nextCursor}`);
      expect(errorOf(answer)).toBe('400 INVALID_CURSOR');
    }
  });
});
