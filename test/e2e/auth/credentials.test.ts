import { readFileSync } from 'node:fs';

import { Answer, Client, errorOf, PASSWORD, uniqueEmail } from '@plinth/dev/testing';

import { newSecret } from '../../../packages/core/src/accounts/secret.js';
import { useApp, useClient } from '../../support/app.js';
import { cookieOf } from '../../support/cookies.js';
import { basicOf, SCHEMES, SchemeName } from '../../support/schemes.js';
import { Credentials } from '../../support/users.js';

const NEW_PASSWORD = 'another horse, another staple';
const ROLES = ['admin', 'editor', 'viewer'] as const;
type RoleName = (typeof ROLES)[number];
/**
 * The permissions of the roles. The API keys of these tests have all of them except `delete`, or only
 * `delete`.
 */
const PERMISSIONS: Readonly<Record<RoleName, readonly string[]>> = {
  admin: ['create', 'read', 'update', 'manage_users'],
  editor: ['create', 'read', 'update'],
  viewer: ['read'],
};

/** The rows of the table under a heading of `security.md`, as lists of cells. */
function tableUnder(heading: string): string[][] {
  const text = readFileSync('packages/core/docs/security.md', 'utf8');
  const section = text.split(`### ${heading}\n`)[1]?.split(/\n##/)[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const app = useApp({ RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '100000' });
const admin = useClient(app, 'admin');

const logIn = (user: Credentials): Promise<Answer> =>
  app.anonymous.post('/login', { email: user.email, password: user.password });
const sessionOf = (login: Answer) => ({
  cookie: `session_id=${cookieOf(login, 'session_id')}`,
  'sec-fetch-site': 'same-origin',
});
const bearerOf = ({ body }: Answer) => ({
  authorization: `Bearer ${(body as { accessToken: string }).accessToken}`,
});
const keyOf = async (
  user: Credentials,
  permissions: readonly string[],
): Promise<{ id: number; key: string }> => {
  const by = { authorization: basicOf(user) };
  const created = await app.anonymous.post('/api/v1/api-keys', { name: 'test', permissions }, by);
  expect(created.status).toBe(201);
  return created.body as { id: number; key: string };
};
const loginIdOf = async (bearer: Record<string, string>): Promise<number> => {
  const { body } = await app.anonymous.get('/api/v1/sessions', bearer);
  const { data } = body as { data: { id: number; current: boolean }[] };
  return data.find(({ current }) => current)!.id;
};

describe('the requests in the table of credentials', () => {
  /** A caller with one credential of a user. */
  interface Actor {
    readonly client: Client;
    readonly self: Credentials;
    readonly role: RoleName;
  }
  type Operation = (actor: Actor) => Promise<Answer>;

  const other = () => app.user('viewer');
  const pathOf = ({ id }: Pick<Credentials, 'id'>): string => `/api/v1/users/${id}`;
  const grant = (permissions: string[]) => ({
    resourceType: 'product',
    resourceId: 1,
    userId: adminId,
    effect: 'allow',
    permissions,
  });
  const keyPath = (id: number): string => `/api/v1/api-keys/${id}`;
  let adminId: number;

  beforeAll(async () => {
    adminId = ((await admin.get('/api/v1/users/me')).body as { id: number }).id;
  });

  const change = (body: () => object): Operation => {
    return ({ client, self }) => client.patch(pathOf(self), body());
  };
  const changeOther = (body: () => object): Operation => {
    return async ({ client }) => client.patch(pathOf(await other()), body());
  };
  const email = () => uniqueEmail('changed');
  const OPERATIONS: Readonly<Record<string, Operation>> = {
    "change one's own e-mail, with `currentPassword`": change(() => ({
      email: email(),
      currentPassword: PASSWORD,
    })),
    "change one's own e-mail, without it": change(() => ({ email: email() })),
    "change one's own e-mail, with a wrong one": change(() => ({ email: email(), currentPassword: 'wrong' })),
    'replace oneself by PUT with another e-mail, without it': ({ client, self }) =>
      client.put(pathOf(self), { email: email() }),
    "change one's own password, with `currentPassword`": change(() => ({
      password: NEW_PASSWORD,
      currentPassword: PASSWORD,
    })),
    "change one's own password, without it": change(() => ({ password: NEW_PASSWORD })),
    "change one's own password, with a wrong one": change(() => ({
      password: NEW_PASSWORD,
      currentPassword: 'wrong',
    })),
    "change one's own name, with a wrong `currentPassword`": change(() => ({
      name: 'Ada',
      currentPassword: 'wrong',
    })),
    'delete oneself': ({ client, self }) => client.delete(pathOf(self)),
    "change one's own role": ({ client, self, role }) =>
      client.patch(pathOf(self), { role: role === 'editor' ? 'viewer' : 'editor' }),
    "change another user's e-mail": changeOther(() => ({ email: email() })),
    "change another user's password": changeOther(() => ({ password: NEW_PASSWORD })),
    "change another user's role": changeOther(() => ({ role: 'editor' })),
    'delete another user': async ({ client }) => client.delete(pathOf(await other())),
    'create a user with a role that the key holds': ({ client }) =>
      client.post('/api/v1/users', { email: email(), password: NEW_PASSWORD, role: 'editor' }),
    'create a user with a role that the key does not hold': ({ client }) =>
      client.post('/api/v1/users', { email: email(), password: NEW_PASSWORD, role: 'admin' }),
    'create an API key': ({ client }) => client.post('/api/v1/api-keys', { name: 'another' }),
    'create an API key with more than the key holds': ({ client }) =>
      client.post('/api/v1/api-keys', { name: 'another', permissions: ['delete'] }),
    'change the permissions of an API key': async ({ client, self }) =>
      client.patch(keyPath((await keyOf(self, ['read'])).id), { permissions: ['read'] }),
    'widen an API key beyond what the key holds': async ({ client, self }) =>
      client.patch(keyPath((await keyOf(self, ['read'])).id), { permissions: ['read', 'delete'] }),
    'revoke an API key': async ({ client, self }) => client.delete(keyPath((await keyOf(self, ['read'])).id)),
    "revoke another user's API key": async ({ client }) =>
      client.delete(keyPath((await keyOf(await other(), ['read'])).id)),
    'allow by a grant what the key holds': ({ client }) =>
      client.post('/api/v1/access-grants', grant(['update'])),
    'allow by a grant what the key does not hold': ({ client }) =>
      client.post('/api/v1/access-grants', grant(['delete'])),
    'delete an access grant': async ({ client }) => {
      const made = await admin.post('/api/v1/access-grants', grant(['read']));
      return client.delete(made.headers.get('location')!);
    },
    "end another login of one's own": async ({ client, self }) =>
      client.delete(`/api/v1/sessions/${await loginIdOf(bearerOf(await logIn(self)))}`),
    'log out': ({ client }) => client.post('/api/v1/logout', undefined, { 'sec-fetch-site': 'same-origin' }),
  };

  /** The ways to end a login. The role is the same afterwards, so that only the end of the login matters. */
  const ENDS: Readonly<Record<string, (user: Credentials, login: Answer) => Promise<Answer>>> = {
    logout: (_user, login) => app.anonymous.post('/api/v1/logout', undefined, bearerOf(login)),
    'DELETE /sessions/{id}': async (user, login) => {
      const by = { authorization: basicOf(user) };
      return app.anonymous.delete(`/api/v1/sessions/${await loginIdOf(bearerOf(login))}`, by);
    },
    'a new password': (user) => admin.patch(pathOf(user), { password: PASSWORD }),
    'a role that is changed and changed back': async (user) => {
      const { body } = await admin.get(pathOf(user));
      const { role } = body as { role: string };
      await admin.patch(pathOf(user), { role: role === 'viewer' ? 'editor' : 'viewer' });
      return admin.patch(pathOf(user), { role });
    },
  };
  /** Created once: an ended login changes nothing, so that all operations can share it. */
  const endedLogins = new Map<string, { self: Credentials; login: Answer }>();
  beforeAll(async () => {
    for (const role of ROLES)
      for (const [end, endLogin] of Object.entries(ENDS)) {
        const self = await app.user(role);
        const login = await logIn(self);
        expect((await endLogin(self, login)).status).toBeLessThan(300);
        endedLogins.set(`${role} ${end}`, { self, login });
      }
  });
  const DELETING = /^(delete|revoke|end) /;

  /** The permission that an API key needs for an operation. */
  const neededBy = (operation: string): string =>
    DELETING.test(operation) ? 'delete' : /^(create|allow) /.test(operation) ? 'create' : 'update';

  async function actorOf(scheme: SchemeName, role: RoleName, operation: string): Promise<Actor> {
    const self = await app.user(role);
    const held = DELETING.test(operation) ? ['delete', 'manage_users'] : PERMISSIONS[role];
    const permissions = held.filter((name) => name !== 'delete' || role === 'admin');
    const headers: Record<SchemeName, () => Promise<Record<string, string>>> = {
      bearer: async () => bearerOf(await logIn(self)),
      session: async () => sessionOf(await logIn(self)),
      basic: () => Promise.resolve({ authorization: basicOf(self) }),
      'api-key': async () => {
        const allowed = permissions.filter((name) => role === 'admin' || name !== 'manage_users');
        return { 'x-api-key': (await keyOf(self, allowed.length > 0 ? allowed : ['read'])).key };
      },
    };
    return { client: app.anonymous.with(await headers[scheme]()), self, role };
  }

  /**
   * The expected status for a role. Other roles than admin get 403 for operations of `manage_users`, and 404
   * for the key of another user.
   */
  function statusFor(
    scheme: SchemeName,
    role: RoleName,
    [operation = '', who, live, , basic, key]: string[],
  ): number {
    if (operation === 'log out') return 204;
    if (who === 'manage_users' && role !== 'admin')
      return operation.includes("another user's API key") && scheme !== 'api-key' ? 404 : 403;
    if (scheme === 'basic') return Number(basic);
    if (scheme !== 'api-key') return Number(live);
    const needed = neededBy(operation);
    const holds = DELETING.test(operation) ? role === 'admin' : PERMISSIONS[role].includes(needed);
    return holds ? Number(key) : 403;
  }

  const rows = tableUnder('What creates and changes credentials');

  it('are the ones that this test sends', () => {
    expect(rows.map(([operation]) => operation).sort()).toEqual(Object.keys(OPERATIONS).sort());
  });

  describe.each(rows)('%s', (...row) => {
    const [name = '', who, , ended] = row;
    const operation = OPERATIONS[name]!;

    it.each(SCHEMES)('is answered as the table says, by %s and every role', async (scheme) => {
      for (const role of ROLES) {
        // A viewer has no permissions beyond those of the key, so only an admin can request a wider key.
        if (name.startsWith('create an API key with more') && role !== 'admin') continue;
        if (name.startsWith('widen') && role !== 'admin') continue;
        const { status, text } = await operation(await actorOf(scheme, role, name));
        expect([role, status, text]).toEqual([role, statusFor(scheme, role, row), expect.anything()]);
      }
    });

    it.each(Object.keys(ENDS))(
      'is answered as the table says after the login was ended by %s',
      async (end) => {
        for (const role of who === 'manage_users' ? (['admin'] as const) : ROLES) {
          const { self, login } = endedLogins.get(`${role} ${end}`)!;
          const byToken = await operation({ client: app.anonymous.with(bearerOf(login)), self, role });
          expect([role, byToken.status]).toEqual([role, Number(ended)]);
          if (byToken.status === 401) expect(errorOf(byToken)).toBe('401 INVALID_TOKEN');
          const bySession = await operation({ client: app.anonymous.with(sessionOf(login)), self, role });
          expect(errorOf(bySession)).toBe(
            name === 'log out' ? '204 without an envelope' : '401 INVALID_SESSION',
          );
        }
      },
    );
  });
});

describe('the events in the table of ends', () => {
  /** All credentials of one user: those that a login issues, and the others. */
  interface Kit {
    readonly user: Credentials;
    readonly loginId: number;
    readonly session: Record<string, string>;
    readonly bearer: Record<string, string>;
    readonly refresh: Record<string, string>;
    readonly basic: Record<string, string>;
    readonly key: { readonly id: number; readonly key: string };
    readonly link: string;
  }

  async function kit(): Promise<Kit> {
    const user = await app.user('viewer');
    const login = await logIn(user);
    const bearer = bearerOf(login);
    const { value: link, digest } = newSecret();
    await app.query(
      `insert into account_tokens (digest, user_id, purpose, expires_at)
       values (decode($1, 'hex'), $2, 'passwordReset', now() + interval '1 hour')`,
      [digest, user.id],
    );
    return {
      user,
      bearer,
      link,
      loginId: await loginIdOf(bearer),
      session: sessionOf(login),
      refresh: { cookie: `refresh_token=${cookieOf(login, 'refresh_token')}` },
      basic: { authorization: basicOf(user) },
      key: await keyOf(user, ['read']),
    };
  }

  const pathOf = ({ user }: Kit): string => `/api/v1/users/${user.id}`;
  const newPassword = { password: NEW_PASSWORD, currentPassword: PASSWORD };
  const EVENTS: Readonly<Record<string, (kit: Kit) => Promise<Answer>>> = {
    'logout of the login': ({ bearer }) => app.anonymous.post('/api/v1/logout', undefined, bearer),
    '`DELETE /sessions/{id}`': ({ loginId, basic }) =>
      app.anonymous.delete(`/api/v1/sessions/${loginId}`, basic),
    "one's own new password": (kit) => app.anonymous.patch(pathOf(kit), newPassword, kit.bearer),
    "another login's new password": (kit) => app.anonymous.patch(pathOf(kit), newPassword, kit.basic),
    'a password reset': async (kit) => {
      await app.query('update users set email_verified = true where id = $1', [kit.user.id]);
      return EVENTS['a password reset, if the e-mail was never confirmed']!(kit);
    },
    'a refresh token that was exchanged more than 10 seconds ago': async ({ refresh, loginId }) => {
      const exchange = (headers: Record<string, string>) =>
        app.anonymous.post('/auth/refresh', undefined, headers);
      const second = await exchange(refresh);
      await app.query(
        `update refresh_tokens set used_at = used_at - interval '11 seconds' where login_id = $1`,
        [loginId],
      );
      expect((await exchange(refresh)).status).toBe(401);
      return second;
    },
    'a password reset, if the e-mail was never confirmed': async (kit) => {
      const other = newSecret();
      await app.query(
        `insert into account_tokens (digest, user_id, purpose, expires_at)
         values (decode($1, 'hex'), $2, 'passwordReset', now() + interval '1 hour')`,
        [other.digest, kit.user.id],
      );
      const body = { token: other.value, password: NEW_PASSWORD };
      return app.anonymous.post('/api/v1/auth/password-reset/confirm', body);
    },
    'a new role': (kit) => admin.patch(pathOf(kit), { role: 'editor' }),
    'a new e-mail': (kit) =>
      app.anonymous.patch(
        pathOf(kit),
        { email: uniqueEmail('moved'), currentPassword: PASSWORD },
        kit.bearer,
      ),
    'revocation of the key': ({ key, bearer }) => app.anonymous.delete(`/api/v1/api-keys/${key.id}`, bearer),
    'deletion of the user': (kit) => app.anonymous.delete(pathOf(kit), kit.bearer),
  };

  /**
   * Whether each credential still works, in the order of the columns. The last two are used up by the check.
   */
  async function workingOf({ session, bearer, refresh, basic, key, link }: Kit): Promise<boolean[]> {
    const reads = async (headers: Record<string, string>): Promise<boolean> =>
      (await app.anonymous.get('/api/v1/products?limit=1', headers)).status === 200;
    const bySession = await reads(session);
    const byToken = await reads(bearer);
    const byBasic = await reads(basic);
    const byKey = await reads({ 'x-api-key': key.key });
    const written = await app.anonymous.post('/api/v1/api-keys', { name: 'after' }, bearer);
    const refreshed = await app.anonymous.post('/auth/refresh', undefined, refresh);
    const body = { token: link, password: NEW_PASSWORD };
    const confirmed = await app.anonymous.post('/api/v1/auth/password-reset/confirm', body);
    const wrote = written.status === 201;
    return [bySession, refreshed.status === 200, byToken, wrote, byBasic, byKey, confirmed.status === 204];
  }

  const rows = tableUnder('What ends credentials');

  it('are the ones that this test causes', () => {
    expect(rows.map(([event]) => event).sort()).toEqual(Object.keys(EVENTS).sort());
  });

  it.each(rows)('end what the table says, and nothing else: %s', async (event, ...cells) => {
    const own = await kit();
    const bystander = await kit();
    expect((await EVENTS[event]!(own)).status).toBeLessThan(300);
    expect(await workingOf(own)).toEqual(cells.map((cell) => cell.startsWith('stay')));
    expect(await workingOf(bystander)).toEqual(cells.map(() => true));
  });
});
