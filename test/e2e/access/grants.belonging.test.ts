import { useApp } from '../../support/app.js';
import { dataOf, errorOf, Member, useShop } from '../../support/shop.js';

/** What grants on a resource do to what belongs to it. */
describe('access grants on what others belong to', () => {
  const app = useApp({});
  const shop = useShop(app);

  const grant = async (values: object): Promise<void> => {
    const body = { resourceType: 'user', permissions: ['read'], ...values };
    expect((await shop.admin.post('/api/v1/access-grants', body)).status).toBe(201);
  };

  describe('a user who is denied', () => {
    const KEYS = '/api/v1/api-keys';
    const keyOf = async ({ client }: Member): Promise<number> =>
      ((await client.post(KEYS, { name: 'Key' })).body as { id: number }).id;
    const deny = (user: Member, holder: Member, permissions = ['read']): Promise<void> =>
      grant({ resourceId: user.id, userId: holder.id, permissions, effect: 'deny' });

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
      await grant({ resourceId: owner.id, userId: editor.id, effect: 'allow', permissions });
      expect((await editor.client.get(`/api/v1/users/${owner.id}`)).status).toBe(200);
      expect((await editor.client.get(`${KEYS}/${key}`)).status).toBe(404);
      expect((await editor.client.delete(`${KEYS}/${key}`)).status).toBe(404);
    });
  });
});
