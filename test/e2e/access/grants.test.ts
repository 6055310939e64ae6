import { Client, eventually } from '@plinth/dev/testing';
import { Client as Connection } from 'pg';

import { useApp, useClient } from '../../support/app.js';
import { databaseOf } from '../../support/databases.js';
import { headersOf } from '../../support/schemes.js';
import { dataOf, errorOf } from '../../support/shop.js';
import { Credentials } from '../../support/users.js';

const GRANTS = '/api/v1/access-grants';
const PRODUCTS = '/api/v1/products';

describe('access grants', () => {
  const app = useApp();
  const admin = useClient(app, 'admin');
  let product: number;
  let viewer: Credentials;
  let client: Client;
  let apiKeyId: number;

  beforeAll(async () => {
    const created = await admin.post(PRODUCTS, { name: 'P', price: 1, category: 'c' });
    product = (created.body as { id: number }).id;
  });
  beforeEach(async () => {
    viewer = await app.user('viewer');
    const headers = await headersOf(app, viewer, ['read']);
    client = app.anonymous.with(headers.bearer);
    apiKeyId = dataOf<{ id: number }>(await client.get('/api/v1/api-keys'))[0]!.id;
  });

  const grant = async (values: object): Promise<number> => {
    const body = {
      resourceType: 'product',
      userId: viewer.id,
      permissions: ['read'],
      effect: 'deny',
      ...values,
    };
    const created = await admin.post(GRANTS, body);
    expect([created.status, created.text]).toMatchObject([201, expect.anything()]);
    return (created.body as { id: number }).id;
  };

  it('are created, shown and deleted by callers with manage_users only', async () => {
    const id = await grant({ resourceId: product });
    expect((await admin.get(`${GRANTS}/${id}`)).body).toEqual({
      id,
      resourceType: 'product',
      resourceId: product,
      userId: viewer.id,
      apiKeyId: null,
      permissions: ['read'],
      effect: 'deny',
      createdAt: expect.any(String),
    });
    const found = await admin.get(`${GRANTS}?userId=${viewer.id}`);
    expect(found.body).toMatchObject({ data: [{ id }], pagination: { total: 1 } });
    expect((await client.get(GRANTS)).status).toBe(403);
    expect((await admin.delete(`${GRANTS}/${id}`)).status).toBe(204);
    expect((await admin.delete(`${GRANTS}/${id}`)).status).toBe(404);
  });

  it('must name exactly one existing user or API key', async () => {
    const body = { resourceType: 'product', resourceId: 1, permissions: ['read'], effect: 'deny' };
    expect((await admin.post(GRANTS, body)).status).toBe(400);
    expect((await admin.post(GRANTS, { ...body, userId: viewer.id, apiKeyId })).status).toBe(422);
    expect((await admin.post(GRANTS, { ...body, userId: 2_000_000_000 })).status).toBe(422);
    expect(
      (await admin.post(GRANTS, { ...body, userId: viewer.id, permissions: ['manage_users'] })).status,
    ).toBe(422);
    expect((await admin.post(GRANTS, { ...body, userId: viewer.id, resourceType: 'planet' })).status).toBe(
      422,
    );
  });

  it('deny users their own keys and sessions if they deny users access to themselves', async () => {
    const [session] = dataOf<{ id: number }>(await client.get('/api/v1/sessions'));
    await grant({ resourceType: 'user', resourceId: viewer.id });
    const answers = [
      client.get(`/api/v1/api-keys/${apiKeyId}`),
      client.post('/api/v1/api-keys', { name: 'Another' }),
      client.get('/api/v1/sessions'),
      client.get(`/api/v1/sessions/${session!.id}`),
      client.delete(`/api/v1/sessions/${session!.id}`),
    ];
    for (const answer of await Promise.all(answers)) expect(errorOf(answer)).toBe('403 PERMISSION_DENIED');
    expect(dataOf(await client.get('/api/v1/api-keys'))).toEqual([]);
  });

  it('cost no query if none exist', async () => {
    await app.query('delete from access_grants');
    const [{ name }] = (await app.query('select current_database() as name')) as [{ name: string }];
    const holder = new Connection({ connectionString: databaseOf(name) });
    await holder.connect();
    const statusWhileLocked = async (): Promise<number> => {
      await client.get(PRODUCTS);
      await holder.query('begin; lock table access_grants in access exclusive mode');
      // A request that queries the table waits for the lock and is answered 504.
      const { status } = await client.get(PRODUCTS);
      await holder.query('rollback');
      return status;
    };
    // Repeated, because the cached answer may expire on a busy machine.
    await eventually(statusWhileLocked, 200, 60_000);
    await holder.end();
  });
});
