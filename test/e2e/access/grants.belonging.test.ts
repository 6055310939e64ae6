import { startApp, TestApp } from '../../support/app.js';
import { dataOf, errorOf, Member, Shop } from '../../support/shop.js';

/** What grants on a resource do to what belongs to it. */
describe('access grants on what others belong to', () => {
  let app: TestApp;
  let shop: Shop;
  let customer: Member;
  let other: Member;

  beforeAll(async () => {
    app = await startApp({});
    shop = await Shop.in(app);
    customer = await shop.member();
    other = await shop.member();
  });
  afterAll(() => app.stop());

  const grant = async (values: object): Promise<void> => {
    const body = { userId: other.id, permissions: ['read'], ...values };
    expect((await shop.admin.post('/api/v1/access-grants', body)).status).toBe(201);
  };
  const statusOf = async (path: string): Promise<number> => (await other.client.get(path)).status;
  const idsOf = async (path: string): Promise<number[]> =>
    dataOf<{ id: number }>(await other.client.get(path)).map(({ id }) => id);

  it('a user opens their orders and items, one by one and in lists, and nobody else’s', async () => {
    const product = await shop.product(1);
    const theirs = await shop.order(customer, [product, 1]);
    const own = await shop.order(other, [product, 2]);
    const third = await shop.order(await shop.member(), [product, 3]);
    const below = `/api/v1/users/${customer.id}/orders`;
    expect([await statusOf(below), await statusOf(`/api/v1/orders/${theirs.id}`)]).toEqual([403, 404]);
    await grant({ resourceType: 'user', resourceId: customer.id, effect: 'allow' });
    expect(await idsOf(below)).toEqual([theirs.id]);
    expect(await statusOf(`${below}/${theirs.id}`)).toBe(200);
    expect(await idsOf(`${below}/${theirs.id}/items`)).toEqual([theirs.items[0]!.id]);
    expect(await idsOf('/api/v1/orders?sort=createdAt:asc')).toEqual([theirs.id, own.id]);
    expect((await other.client.get('/api/v1/orders')).body).toMatchObject({ pagination: { total: 2 } });
    expect(await statusOf(`/api/v1/orders/${theirs.id}`)).toBe(200);
    expect([403, 404]).toContain(await statusOf(`/api/v1/orders/${third.id}`));
    expect(await idsOf('/api/v1/order-items?sort=createdAt:asc')).toEqual([
      theirs.items[0]!.id,
      own.items[0]!.id,
    ]);
  });

  describe('a user who is denied', () => {
    const KEYS = '/api/v1/api-keys';
    const keyOf = async ({ client }: Member): Promise<number> =>
      ((await client.post(KEYS, { name: 'Key' })).body as { id: number }).id;
    const deny = async (user: Member, holder: Member, permissions = ['read']): Promise<void> => {
      const body = {
        resourceType: 'user',
        resourceId: user.id,
        userId: holder.id,
        permissions,
        effect: 'deny',
      };
      expect((await shop.admin.post('/api/v1/access-grants', body)).status).toBe(201);
    };

    it('is hidden with their API keys from whoever manages users: 403, not in lists, not in totals', async () => {
      const [owner, manager] = [await shop.member(), await shop.member('admin')];
      const key = await keyOf(owner);
      const list = `${KEYS}?userId=${owner.id}`;
      expect((await manager.client.get(list)).body).toMatchObject({ pagination: { total: 1 } });
      await deny(owner, manager);
      expect((await manager.client.get(list)).body).toMatchObject({ data: [], pagination: { total: 0 } });
      const { client } = manager;
      const path = `${KEYS}/${key}`;
      const answers = [client.get(path), client.patch(path, { name: 'Mine' }), client.delete(path)];
      for (const answer of await Promise.all(answers))
        expect(errorOf(answer)).toEqual([403, 'PERMISSION_DENIED']);
      expect((await owner.client.get(path)).body).toMatchObject({ name: 'Key' });
    });

    it('with one permission only keeps their API keys from being written', async () => {
      const [owner, manager] = [await shop.member(), await shop.member('admin')];
      const path = `${KEYS}/${await keyOf(owner)}`;
      await deny(owner, manager, ['delete']);
      expect((await manager.client.delete(path)).status).toBe(403);
      expect((await manager.client.patch(path, { name: 'Renamed' })).status).toBe(200);
    });

    it('to themself has neither keys nor sessions', async () => {
      const self = await shop.member();
      const key = await keyOf(self);
      const sessions = dataOf<{ id: number }>(await self.client.get('/api/v1/sessions'));
      await deny(self, self);
      const { client } = self;
      const answers = [
        client.get(`${KEYS}/${key}`),
        client.post(KEYS, { name: 'Another' }),
        client.get('/api/v1/sessions'),
        client.get(`/api/v1/sessions/${sessions[0]?.id ?? 0}`),
        client.delete(`/api/v1/sessions/${sessions[0]?.id ?? 0}`),
      ];
      for (const answer of await Promise.all(answers))
        expect(errorOf(answer)).toEqual([403, 'PERMISSION_DENIED']);
      expect(dataOf(await client.get(KEYS))).toEqual([]);
    });

    it('is opened to nobody with their API keys: an allow opens none', async () => {
      const [owner, editor] = [await shop.member(), await shop.member('editor')];
      const key = await keyOf(owner);
      const permissions = ['read', 'update', 'delete'];
      await grant({
        resourceType: 'user',
        resourceId: owner.id,
        userId: editor.id,
        effect: 'allow',
        permissions,
      });
      expect((await editor.client.get(`/api/v1/users/${owner.id}`)).status).toBe(200);
      expect((await editor.client.get(`${KEYS}/${key}`)).status).toBe(404);
      expect((await editor.client.delete(`${KEYS}/${key}`)).status).toBe(404);
    });
  });
});
