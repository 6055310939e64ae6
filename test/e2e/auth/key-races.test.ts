import { errorOf } from '@plinth/dev/testing';
import { Client } from 'pg';

import { startOn, TestApp } from '../../support/app.js';
import { createDatabase, TestDatabase, waitersForLocks } from '../../support/databases.js';

const ALL = ['create', 'read', 'update', 'delete', 'manage_users'];

describe('an API key that is being narrowed by somebody else', () => {
  let database: TestDatabase;
  let app: TestApp;
  beforeAll(async () => {
    database = await createDatabase();
    app = await startOn(database);
  });
  afterAll(() => app.stop());

  it.each<[string, (id: number) => [string, string, object]]>([
    ['widens itself', (id) => ['PATCH', `/api/v1/api-keys/${id}`, { permissions: ALL }]],
    ['creates a key', () => ['POST', '/api/v1/api-keys', { name: 'child', permissions: ALL }]],
  ])('waits for that change, and is refused if it %s', async (_name, requestOf) => {
    const owner = await app.as('admin');
    const created = await owner.post('/api/v1/api-keys', { name: 'wide', permissions: ALL });
    const { id, key } = created.body as { id: number; key: string };
    const other = new Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query('begin');
      await other.query(`update api_keys set permissions = 'read' where id = $1`, [id]);
      const [method, path, body] = requestOf(id);
      const answer = app.anonymous.request(method, path, { body, headers: { 'x-api-key': key } });
      await waitersForLocks(database.url, 1);
      await other.query('commit');
      expect(errorOf(await answer)).toBe('403 PERMISSION_DENIED');
    } finally {
      await other.end();
    }
  });
});
