import { Answer, Client, errorOf, eventually, uniqueEmail } from '@plinth/dev/testing';

import { useApp, useClient } from '../../support/app.js';
import { Credentials } from '../../support/users.js';

const KEYS = '/api/v1/api-keys';
const PRODUCTS = '/api/v1/products';
const BODY = { name: 'A', price: 1, category: 'b' };

interface Key {
  id: number;
  key: string;
  hint: string;
}

describe('API keys', () => {
  const app = useApp();
  const admin = useClient(app, 'admin');
  let owner: Credentials;
  let editor: Client;

  beforeAll(async () => {
    owner = await app.user('editor');
  });
  beforeEach(async () => {
    // Changing the role of a user ends their logins.
    const login = await app.anonymous.post('/login', { email: owner.email, password: owner.password });
    editor = app.anonymous.with({
      authorization: `Bearer ${(login.body as { accessToken: string }).accessToken}`,
    });
  });

  const create = async (permissions?: string[], client = editor): Promise<Key> => {
    const created = await client.post(KEYS, { name: 'Nightly export', permissions });
    expect(created.status).toBe(201);
    return created.body as Key;
  };
  const by = ({ key }: Key) => app.anonymous.with({ 'x-api-key': key });

  it('are shown once, and stored as a digest', async () => {
    const key = await create(['read', 'create']);
    expect(key).toMatchObject({
      key: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      hint: key.key.slice(0, 6),
      userId: owner.id,
      permissions: ['create', 'read'],
      lastUsedAt: null,
    });
    const read = await editor.get(`${KEYS}/${key.id}`);
    const list = await editor.get(KEYS);
    expect(read.headers.get('cache-control')).toBe('no-store');
    const stored = await app.query('select *, encode(digest, $1) from api_keys', ['base64']);
    expect(read.text + list.text + JSON.stringify(stored)).not.toContain(key.key);
  });

  it('may only read by default, and do only what they were created for', async () => {
    const key = await create();
    expect((await by(key).get(PRODUCTS)).status).toBe(200);
    expect((await by(key).post(PRODUCTS, BODY)).status).toBe(403);
    expect((await by(key).post(KEYS, { name: 'more' })).status).toBe(403);
    expect((await by(await create(['create'])).get(PRODUCTS)).status).toBe(403);
  });

  it('cannot get permissions that their owner does not have, whoever requests it', async () => {
    const key = await create(['read']);
    const asked = { permissions: ['read', 'delete'] };
    for (const refused of [
      await editor.post(KEYS, { name: 'x', ...asked }),
      await editor.patch(`${KEYS}/${key.id}`, asked),
      await admin.patch(`${KEYS}/${key.id}`, asked),
    ]) {
      const details = [{ field: 'permissions.1', code: 'NOT_ALLOWED' }];
      expect(refused.body).toMatchObject({ error: { code: 'UNPROCESSABLE_ENTITY', status: 422, details } });
    }
    const widened = await admin.patch(`${KEYS}/${key.id}`, { permissions: ['read', 'update'] });
    expect(widened.body).toMatchObject({ permissions: ['read', 'update'] });
  });

  it('cannot be given permissions by another key that lacks them', async () => {
    const key = await create(['create', 'update']);
    expect((await by(key).post(KEYS, { name: 'x', permissions: ['read'] })).status).toBe(403);
    expect((await by(key).patch(`${KEYS}/${key.id}`, { permissions: ['read', 'update'] })).status).toBe(403);
  });

  it.each<[string, (client: Client, userId: number) => Promise<Answer>]>([
    ['delete a user', (client, id) => client.delete(`/api/v1/users/${id}`)],
    ['change a user', (client, id) => client.patch(`/api/v1/users/${id}`, { name: 'Eve' })],
    [
      'create a user with a role',
      (client) =>
        client.post('/api/v1/users', {
          email: uniqueEmail('made'),
          password: 'a password of tests',
          role: 'viewer',
        }),
    ],
    [
      'create a grant',
      (client, userId) =>
        client.post('/api/v1/access-grants', {
          ...{ resourceType: 'product', resourceId: 1, userId },
          ...{ permissions: ['read'], effect: 'deny' },
        }),
    ],
  ])('cannot %s with manage_users if they lack the permission of the method', async (_name, send) => {
    const created = await admin.post(KEYS, { name: 'managers', permissions: ['manage_users', 'read'] });
    const user = await app.user('viewer');
    const answer = await send(by(created.body as Key), user.id);
    expect(errorOf(answer)).toBe('403 PERMISSION_DENIED');
    expect((await admin.get(`/api/v1/users/${user.id}`)).status).toBe(200);
  });

  it('pass their denials on to the keys that they create', async () => {
    const product = await admin.post(PRODUCTS, BODY);
    const path = product.headers.get('location')!;
    const key = await create(['read', 'create']);
    const denial = { resourceType: 'product', permissions: ['read'], effect: 'deny', apiKeyId: key.id };
    const { id: resourceId } = product.body as { id: number };
    expect((await admin.post('/api/v1/access-grants', { ...denial, resourceId })).status).toBe(201);
    const child = await create(['read'], by(key));
    expect([(await by(key).get(path)).status, (await by(child).get(path)).status]).toEqual([403, 403]);
  });

  it('lose and regain permissions together with their owner', async () => {
    const key = await create(['create']);
    const become = async (role: string) => {
      expect((await admin.patch(`/api/v1/users/${owner.id}`, { role })).status).toBe(200);
    };
    expect((await by(key).post(PRODUCTS, BODY)).status).toBe(201);
    await become('viewer');
    expect((await by(key).post(PRODUCTS, BODY)).status).toBe(403);
    await become('editor');
    expect((await by(key).post(PRODUCTS, BODY)).status).toBe(201);
  });

  it('are renamed and narrowed immediately, under the control of their ETag', async () => {
    const key = await create(['read', 'create']);
    expect((await by(key).post(PRODUCTS, BODY)).status).toBe(201);
    const path = `${KEYS}/${key.id}`;
    const patched = await editor.patch(path, { name: 'Reader', permissions: ['read'] });
    expect(patched.body).toMatchObject({ name: 'Reader', permissions: ['read'] });
    expect((await by(key).post(PRODUCTS, BODY)).status).toBe(403);
    expect((await editor.patch(path, { name: 'x' }, { 'if-match': '"0-0"' })).status).toBe(412);
    expect((await editor.patch(path, { permissions: ['fly'] })).status).toBe(422);
    expect((await editor.patch(path, { permissions: 'read' })).status).toBe(400);
  });

  it('are refused from the next request after they are revoked', async () => {
    const key = await create(['read']);
    expect((await by(key).get(PRODUCTS)).status).toBe(200);
    expect((await editor.delete(`${KEYS}/${key.id}`)).status).toBe(204);
    expect((await by(key).get(PRODUCTS)).status).toBe(401);
    expect((await editor.get(`${KEYS}/${key.id}`)).status).toBe(404);
  });

  it('are visible only to their owner and to callers with manage_users', async () => {
    const key = await create(['read']);
    const stranger = await app.as('editor');
    expect((await stranger.get(`${KEYS}/${key.id}`)).status).toBe(404);
    expect((await stranger.delete(`${KEYS}/${key.id}`)).status).toBe(404);
    expect((await stranger.get(KEYS)).body).toMatchObject({ data: [] });
    const all = await admin.get(`${KEYS}?userId=${owner.id}&limit=100`);
    expect((all.body as { data: Key[] }).data.map(({ id }) => id)).toContain(key.id);
    expect((await admin.delete(`${KEYS}/${key.id}`)).status).toBe(204);
  });

  it('are limited to 100 per user, even if many are created at once', async () => {
    const other = await app.as('editor');
    const { id } = (await other.get('/api/v1/users/me')).body as { id: number };
    await app.query(
      `insert into api_keys (user_id, name, permissions, hint, digest)
       select $1, 'key', 'read', 'abcdef', decode(md5(n::text), 'hex') from generate_series(1, 95) as n`,
      [id],
    );
    const attempts = Array.from({ length: 12 }, (_, i) =>
      other.post(KEYS, { name: 'x' }, i % 2 ? { 'idempotency-key': `limit-${i}` } : {}),
    );
    const answers = await Promise.all(attempts);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(7);
    expect(refused[0]!.body).toMatchObject({ error: { code: 'API_KEY_LIMIT_REACHED' } });
    const location = answers.find(({ status }) => status === 201)!.headers.get('location')!;
    expect((await other.delete(location)).status).toBe(204);
    expect((await other.post(KEYS, { name: 'x' })).status).toBe(201);
  });

  it('show when they were last used', async () => {
    const key = await create(['read']);
    await by(key).get(PRODUCTS);
    await by(key).get(PRODUCTS);
    const lastUsedAt = async () =>
      ((await editor.get(`${KEYS}/${key.id}`)).body as { lastUsedAt: string | null }).lastUsedAt;
    // The time is stored in parallel with the response.
    await eventually(async () => (await lastUsedAt()) !== null, true, 20_000);
    expect(await lastUsedAt()).toMatch(/^\d{4}-/);
  });
});
