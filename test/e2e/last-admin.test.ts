import { Client } from '@plinth/dev/testing';

import { startApp, TestApp } from '../support/app.js';

describe('the last administrator', () => {
  let app: TestApp;
  let admins: { id: number; client: Client }[];

  beforeEach(async () => {
    app = await startApp({});
    admins = [];
    for (let i = 0; i < 4; i++) {
      const client = await app.as('admin');
      const { id } = (await client.get('/api/v1/users/me')).body as { id: number };
      admins.push({ id, client });
    }
  });
  afterEach(() => app.stop());

  const left = async (): Promise<number> =>
    (await app.query(`select from users where role = 'admin'`)).length;

  it('remains if all administrators leave at once', async () => {
    const attempts = admins.map(({ id, client }, i) =>
      i % 2 ? client.delete(`/api/v1/users/${id}`) : client.patch(`/api/v1/users/${id}`, { role: 'viewer' }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 409)).toHaveLength(1);
    expect(await left()).toBe(1);
  });

  it('can still be renamed and get another password', async () => {
    await app.query(`update users set role = 'viewer' where id <> $1`, [admins[0]!.id]);
    const { id, client } = admins[0]!;
    expect((await client.patch(`/api/v1/users/${id}`, { name: 'Root', role: 'admin' })).status).toBe(200);
    const changed = await client.patch(`/api/v1/users/${id}`, {
      password: 'another password',
      currentPassword: 'correct horse battery staple',
    });
    expect(changed.status).toBe(200);
    for (const answer of [
      await client.patch(`/api/v1/users/${id}`, { role: 'editor' }),
      await client.put(`/api/v1/users/${id}`, {
        email: 'root@example.com',
        role: 'viewer',
        currentPassword: 'another password',
      }),
      await client.delete(`/api/v1/users/${id}`),
    ]) {
      expect(answer.body).toMatchObject({ error: { code: 'LAST_ADMIN', status: 409 } });
    }
    expect(await left()).toBe(1);
  });
});
