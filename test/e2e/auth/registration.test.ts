import { errorOf, logIn, uniqueEmail } from '@plinth/dev/testing';

import { useApp, useClient } from '../../support/app.js';

const USERS = '/api/v1/users';
const body = () => ({ email: uniqueEmail('registers'), password: 'a password of the tests' });

describe('REGISTRATION=closed', () => {
  const app = useApp({ REGISTRATION: 'closed', ANONYMOUS_ROLE: 'viewer', DOCS: 'true' });
  const admin = useClient(app, 'admin');

  it.each(['/api/v1/users', '/api/v2/users', '/api/users'])(
    'refuses a stranger before the body is read: POST %s',
    async (path) => {
      // The client would check the response against the document of a service with open registration.
      for (const sent of [JSON.stringify(body()), '{ no json']) {
        const response = await fetch(app.baseUrl + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: sent,
        });
        const answered = { status: response.status, body: await response.json() };
        expect(errorOf(answered)).toBe('401 AUTHENTICATION_REQUIRED');
      }
    },
  );

  it.each(['editor', 'viewer'] as const)('refuses the role %s', async (role) => {
    const answer = await (await app.as(role)).post(USERS, body());
    expect(errorOf(answer)).toBe('403 PERMISSION_DENIED');
  });

  it('lets only administrators create users, with any role', async () => {
    const created = await admin.post(USERS, body());
    expect([created.status, created.body]).toMatchObject([201, { role: 'viewer' }]);
    const editor = await admin.post(USERS, { ...body(), role: 'editor' });
    expect([editor.status, editor.body]).toMatchObject([201, { role: 'editor' }]);
  });

  it('refuses an administrator whose login has ended or who has been demoted', async () => {
    const ended = await app.user('admin');
    const client = await logIn(app.anonymous, ended);
    expect((await client.post('/api/v1/logout', undefined)).status).toBe(204);
    expect(errorOf(await client.post(USERS, body()))).toBe('401 INVALID_TOKEN');

    const demoted = await app.user('admin');
    const token = await logIn(app.anonymous, demoted);
    await app.query(`update users set role = 'viewer' where id = $1`, [demoted.id]);
    expect(errorOf(await token.post(USERS, body()))).toBe('403 PERMISSION_DENIED');
  });

  it('is reflected in the OpenAPI document', async () => {
    const document = (await app.anonymous.get('/docs/openapi.json')).body as {
      paths: Record<string, Record<string, { security: object[]; 'x-access': object }>>;
    };
    const operation = document.paths['/api/v1/users']?.['post'];
    expect(operation?.['x-access']).toEqual({ permission: 'manage_users' });
    expect(operation?.security).not.toContainEqual({});
  });
});
