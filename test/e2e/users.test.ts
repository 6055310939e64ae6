import { Answer, Client, faultsOf } from '@plinth/dev/testing';

import { useApp, useClient } from '../support/app.js';

const PASSWORD = 'a password of the tests';
let count = 0;
const email = (): string => `user-${process.pid}-${++count}@example.com`;
const codeOf = ({ body }: Answer): string => (body as { error: { code: string } }).error.code;
const idOf = ({ body }: Answer): number => (body as { id: number }).id;

describe('users', () => {
  const app = useApp();
  const admin = useClient(app, 'admin');

  /** A new user with a login. */
  const member = async (role = 'viewer'): Promise<{ id: number; email: string; client: Client }> => {
    const address = email();
    const created = await admin.post('/api/v1/users', { email: address, password: PASSWORD, role });
    const login = await app.anonymous.post('/api/v1/login', { email: address, password: PASSWORD });
    const { accessToken } = login.body as { accessToken: string };
    const client = app.anonymous.with({ authorization: `Bearer ${accessToken}` });
    return { id: idOf(created), email: address, client };
  };

  describe('registration', () => {
    it('is open, and creates a viewer who can log in', async () => {
      const address = email();
      const created = await app.anonymous.post('/api/v1/users', { email: address, password: PASSWORD });
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        id: expect.any(Number),
        email: address,
        name: null,
        role: 'viewer',
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      });
      expect(created.headers.get('location')).toBe(`/api/v1/users/${idOf(created)}`);
      expect(created.headers.get('cache-control')).toBe('private, no-cache');
      const login = await app.anonymous.post('/api/v1/login', { email: address, password: PASSWORD });
      expect(login.status).toBe(200);
    });

    it.each(['admin', 'editor', 'viewer'])(
      'refuses a role from callers who may not assign one: %s',
      async (role) => {
        const body = { email: email(), password: PASSWORD, role };
        const editor = await app.as('editor');
        for (const client of [app.anonymous, editor]) {
          const answer = await client.post('/api/v1/users', body);
          expect([answer.status, codeOf(answer)]).toEqual([403, 'PERMISSION_DENIED']);
        }
      },
    );

    it('refuses invalid credentials', async () => {
      const liar = app.anonymous.with({ authorization: 'Bearer nonsense' });
      const answer = await liar.post('/api/v1/users', { email: email(), password: PASSWORD });
      expect(answer.status).toBe(401);
    });

    it.each<[string, object, number, string, string]>([
      ['a missing password', { email: 'a@example.com' }, 400, 'password', 'REQUIRED'],
      ['a short password', { email: 'a@example.com', password: '1234567' }, 422, 'password', 'TOO_SHORT'],
      ['a common password', { email: 'a@example.com', password: 'Football' }, 422, 'password', 'TOO_COMMON'],
      ['a long password', { email: 'a@example.com', password: 'x'.repeat(129) }, 422, 'password', 'TOO_LONG'],
      ['a bad e-mail', { email: 'a@', password: PASSWORD }, 422, 'email', 'BAD_FORMAT'],
      [
        'an unknown role',
        { email: 'a@example.com', password: PASSWORD, role: 'root' },
        422,
        'role',
        'NOT_ALLOWED',
      ],
    ])('refuses %s', async (_name, body, status, field, code) => {
      const answer = await app.anonymous.post('/api/v1/users', body);
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ error: { details: [{ field, code }] } });
      expect(answer.text).not.toContain(PASSWORD);
    });

    it('registers an e-mail for exactly one of 12 concurrent requests, in any case', async () => {
      const address = email();
      const attempts = Array.from({ length: 12 }, (_, i) =>
        app.anonymous.post('/api/v1/users', {
          email: i % 2 ? address : address.toUpperCase(),
          password: PASSWORD,
        }),
      );
      const answers = await Promise.all(attempts);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 409);
      expect(refused).toHaveLength(11);
      expect(codeOf(refused[0]!)).toBe('EMAIL_ALREADY_EXISTS');
      for (const answer of refused) expect(faultsOf(answer)).toEqual(['email NOT_UNIQUE']);
    });

    it('names a taken e-mail in the details of POST, PUT and PATCH', async () => {
      const { email: taken } = await app.user('viewer');
      const { id, client } = await member();
      const password = PASSWORD;
      const answers = [
        await app.anonymous.post('/api/v1/users', { email: taken.toUpperCase(), password }),
        await admin.patch(`/api/v1/users/${id}`, { email: taken }),
        await admin.put(`/api/v2/users/${id}`, { email: taken }),
        await client.patch(`/api/v1/users/${id}`, { email: taken, currentPassword: password }),
      ];
      for (const { body } of answers)
        expect(body).toEqual({
          error: {
            code: 'EMAIL_ALREADY_EXISTS',
            message: 'Another user has this e-mail.',
            status: 409,
            details: [
              {
                field: 'email',
                code: 'NOT_UNIQUE',
                message: 'must be unique, and another row has this value',
              },
            ],
          },
        });
    });
  });

  describe('self-service', () => {
    it('lets users read, change, replace and delete only themselves', async () => {
      const { id, client, email: address } = await member();
      const other = await member();
      const me = await client.get('/api/v1/users/me');
      expect(me.body).toMatchObject({ id, email: address });
      expect((await client.get(`/api/v1/users/${id}`)).body).toEqual(me.body);
      expect((await client.patch(`/api/v1/users/${id}`, { name: 'Ada' })).body).toMatchObject({
        name: 'Ada',
      });
      const replaced = await client.put(`/api/v1/users/${id}`, {
        email: address.toUpperCase(),
        currentPassword: PASSWORD,
      });
      expect(replaced.body).toMatchObject({ name: null, email: address.toUpperCase(), role: 'viewer' });
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : '{ no json';
        const answer = await client.request(method, `/api/v1/users/${other.id}`, { body });
        expect([method, answer.status]).toEqual([method, 403]);
      }
      expect((await client.get('/api/v1/users')).status).toBe(403);
      expect((await client.delete(`/api/v1/users/${id}`)).status).toBe(204);
      expect(codeOf(await client.get('/api/v1/users/me'))).toBe('USER_NOT_FOUND');
    });

    it('does not let users assign roles', async () => {
      const { id, client, email: address } = await member();
      for (const role of ['admin', 'editor']) {
        expect((await client.patch(`/api/v1/users/${id}`, { role })).status).toBe(403);
        expect((await client.put(`/api/v1/users/${id}`, { email: address, role })).status).toBe(403);
      }
    });
  });

  describe('administration', () => {
    it('lists users by role and e-mail, in both styles', async () => {
      const { id } = await member('editor');
      const byPage = await admin.get('/api/v1/users?role=editor&sort=email:asc&limit=100');
      const { data } = byPage.body as { data: { id: number; role: string }[] };
      expect(data.map((user) => user.id)).toContain(id);
      expect(new Set(data.map(({ role }) => role))).toEqual(new Set(['editor']));
      const byCursor = await admin.get('/api/v1/users?role=editor&sort=email:asc&limit=100&cursor=');
      // Other tests may have added users in between.
      const ids = new Set(data.map((user) => user.id));
      const same = (byCursor.body as { data: { id: number }[] }).data.filter((user) => ids.has(user.id));
      expect(same).toEqual(data);
    });

    it('assigns roles and passwords', async () => {
      const { id, email: address } = await member();
      const patched = await admin.patch(`/api/v1/users/${id}`, {
        role: 'editor',
        password: 'given by an admin',
      });
      expect(patched.body).toMatchObject({ role: 'editor' });
      expect(
        (await app.anonymous.post('/login', { email: address, password: 'given by an admin' })).status,
      ).toBe(200);
      const replaced = await admin.put(`/api/v1/users/${id}`, { email: address });
      expect(replaced.body).toMatchObject({ role: 'editor' });
    });

    it('refuses an e-mail that another user has', async () => {
      const [one, two] = [await member(), await member()];
      const answer = await admin.patch(`/api/v1/users/${one.id}`, { email: two.email.toUpperCase() });
      expect([answer.status, codeOf(answer)]).toEqual([409, 'EMAIL_ALREADY_EXISTS']);
    });
  });
});
