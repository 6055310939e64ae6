import { Client, eventually } from '@plinth/dev/testing';
import { Client as Connection } from 'pg';

import { useApp, useClient } from '../../support/app.js';
import { headersOf } from '../../support/schemes.js';
import { Credentials } from '../../support/users.js';

const GRANTS = '/api/v1/access-grants';
const PRODUCTS = '/api/v1/products';

describe('access grants', () => {
  const app = useApp({});
  const admin = useClient(app, 'admin');
  let products: number[];
  let viewer: Credentials;
  let client: Client;
  let keyClient: Client;
  let apiKeyId: number;

  beforeAll(async () => {
    products = [];
    for (let i = 0; i < 8; i++) {
      const created = await admin.post(PRODUCTS, {
        name: `P${i}`,
        price: i,
        category: i % 2 ? 'odd' : 'even',
      });
      products.push((created.body as { id: number }).id);
    }
  });
  beforeEach(async () => {
    viewer = await app.user('viewer');
    const headers = await headersOf(app, viewer, ['read']);
    client = app.anonymous.with(headers.bearer);
    keyClient = app.anonymous.with(headers['api-key']);
    const keys = await client.get('/api/v1/api-keys');
    apiKeyId = (keys.body as { data: { id: number }[] }).data[0]!.id;
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
  const list = async (by: Client, query = '') => {
    const { body } = await by.get(`${PRODUCTS}?limit=100${query}`);
    const { data, pagination } = body as { data: { id: number }[]; pagination: { total: number } };
    return { ids: data.map(({ id }) => id).sort((a, b) => a - b), total: pagination.total };
  };
  it('are made, shown and removed by those who manage users', async () => {
    const id = await grant({ resourceId: products[0] });
    expect((await admin.get(`${GRANTS}/${id}`)).body).toEqual({
      id,
      resourceType: 'product',
      resourceId: products[0],
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

  it('are about exactly one user or key that is there', async () => {
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

  it('deny a read, alone and in lists, and give it back when they are removed', async () => {
    const id = await grant({ resourceId: products[2] });
    const denied = await client.get(`${PRODUCTS}/${products[2]}`);
    expect([denied.status, denied.body]).toMatchObject([403, { error: { code: 'PERMISSION_DENIED' } }]);
    expect((await client.get(`/api/v2/products/${products[2]}`)).status).toBe(403);
    expect((await keyClient.get(`${PRODUCTS}/${products[2]}`)).status).toBe(403);
    expect(await list(client)).toEqual({ ids: products.filter((_, i) => i !== 2), total: 7 });
    expect((await list(client, '&category=even')).total).toBe(3);
    const walked = await client.get(`${PRODUCTS}?limit=100&cursor=`);
    expect((walked.body as { data: unknown[] }).data).toHaveLength(7);
    expect((await list(admin)).total).toBe(8);
    await admin.delete(`${GRANTS}/${id}`);
    expect((await client.get(`${PRODUCTS}/${products[2]}`)).status).toBe(200);
  });

  it('take nobody’s queries where there are none', async () => {
    await app.query('delete from access_grants');
    const [{ name }] = (await app.query('select current_database() as name')) as [{ name: string }];
    const url = new URL(process.env['TEST_SERVER_URL'] ?? '');
    url.pathname = `/${name}`;
    const holder = new Connection({ connectionString: url.href });
    await holder.connect();
    const statusWhileLocked = async (): Promise<number> => {
      await client.get(PRODUCTS);
      await holder.query('begin; lock table access_grants in access exclusive mode');
      // Who asks the table waits, and is given up: 504.
      const { status } = await client.get(PRODUCTS);
      await holder.query('rollback');
      return status;
    };
    // More than once: on a busy machine more than the second may pass for which the answer holds.
    await eventually(statusWhileLocked, 200, 60_000);
    await holder.end();
  });
});
