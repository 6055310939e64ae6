import { startApp, TestApp } from '../support/app.js';
import { Answer, Client } from '../support/client.js';
import { ratioOfDurations } from '../support/durations.js';
import { describeWithOwnService } from '../support/needs.js';
import { expectError } from '../support/raw-http.js';
import { registerUser } from '../support/users.js';

const PRODUCTS = '/api/v1/products';
const SECRET = 'the-first-secret-of-at-least-32-bytes!';
const LAMP = { name: 'Walnut desk lamp', price: 49.9, category: 'lighting' };

interface Login {
  accessToken: string;
  tokenType: string;
  expiresIn: number;
  user: Record<string, unknown>;
}

const login = (on: TestApp, email: string, password: unknown, path = '/api/v1/login'): Promise<Answer> =>
  on.anonymous.post(path, { email, password });
const bearer = (on: TestApp, token: string): Client =>
  on.anonymous.with({ authorization: `Bearer ${token}` });

let app: TestApp;
beforeAll(async () => {
  // Most tests here fail to log in on purpose, all from one address.
  app = await startApp({ JWT_SECRET: SECRET, LOGIN_RATE_LIMIT: '1000000' });
});
afterAll(() => app.stop());

describeWithOwnService('login', () => {
  it('gives a token, its life, and the user without password', async () => {
    const { id, email, password } = await app.user('editor');
    const answer = await login(app, email, password);
    expect(answer.status).toBe(200);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
    expect(answer.body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      tokenType: 'Bearer',
      expiresIn: 900,
      user: { id, email, name: null, role: 'editor', createdAt: time, updatedAt: time },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/login', '/api/v1/login', '/api/v2/login', '/api/login'])('is at %s', async (path) => {
    const { email, password } = await app.user('viewer');
    const { accessToken } = (await login(app, email, password, path)).body as Login;
    expect((await bearer(app, accessToken).get(PRODUCTS)).status).toBe(200);
    expectError(await login(app, email, 'wrong', path), 401, 'INVALID_CREDENTIALS');
  });

  it('does not tell a wrong password from an unknown e-mail', async () => {
    const { email } = await app.user('viewer');
    const wrong = await login(app, email, 'wrong password');
    const unknown = await login(app, 'nobody@example.com', 'wrong password');
    expectError(wrong, 401, 'INVALID_CREDENTIALS');
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer /);
    expect(unknown.text).toBe(wrong.text);
    const headersOf = ({ headers }: Answer): string[] => [...headers.keys()].sort();
    expect(headersOf(unknown)).toEqual(headersOf(wrong));
  });

  it('nor by the time it takes', async () => {
    // By the service, which hashes the password at its full cost.
    const { email } = await registerUser(await app.as('admin'), 'viewer');
    const ratio = await ratioOfDurations({
      one: () => login(app, email, 'wrong password'),
      other: (round) => login(app, `nobody-${round}@example.com`, 'wrong password'),
      rounds: 12,
      from: 0.5,
      to: 2,
    });
    // Without a hash to check, an unknown e-mail would take a fifth of the time or less.
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  it('takes the e-mail without regard to case, and the password exactly', async () => {
    const { email, password } = await app.user('viewer');
    expect((await login(app, email.toUpperCase(), password)).status).toBe(200);
    for (const other of [` ${password}`, `${password} `, password.toUpperCase(), password.slice(0, -1), '']) {
      expectError(await login(app, email, other), 401, 'INVALID_CREDENTIALS');
    }
  });

  it.each([
    ['colons', 'a:b::c:d:'],
    ['blanks at its ends', '  two blanks  '],
    ['composed and other letters', 'pässwörd – 密码 💡'],
    ['128 characters outside the basic plane', '💡'.repeat(128)],
    ['escapes of JSON', '"\\\u0007\n\t/'],
  ])('takes a password with %s', async (_what, password) => {
    const { email, id } = await app.user('viewer');
    const { Passwords } = await import('../../src/users/passwords.js');
    const hash = await new Passwords().hash(password);
    await app.query('update users set password_hash = $1 where id = $2', [hash, id]);
    expect((await login(app, email, password)).status).toBe(200);
    // Unicode is not normalized, and nothing is cut off.
    for (const near of [password.normalize('NFD'), password.trim(), password.slice(0, 72)]) {
      if (near !== password) expectError(await login(app, email, near), 401, 'INVALID_CREDENTIALS');
    }
  });

  it('makes a new token each time', async () => {
    const { email, password } = await app.user('viewer');
    const tokens = new Set<string>();
    for (let i = 0; i < 3; i++) tokens.add(((await login(app, email, password)).body as Login).accessToken);
    expect(tokens.size).toBe(3);
  });
});

describeWithOwnService('the roles', () => {
  it.each<['admin' | 'editor' | 'viewer' | 'anonymous' | 'anonymous as viewer', number[]]>([
    ['admin', [200, 200, 200, 201, 200, 200, 204]],
    ['editor', [200, 200, 200, 201, 200, 200, 403]],
    ['viewer', [200, 200, 200, 403, 403, 403, 403]],
    ['anonymous', [401, 401, 401, 401, 401, 401, 401]],
    ['anonymous as viewer', [200, 200, 200, 401, 401, 401, 401]],
  ])('%s', async (role, expected) => {
    const on = role === 'anonymous as viewer' ? await startApp({ ANONYMOUS_ROLE: 'viewer' }) : app;
    try {
      const client = role.startsWith('anonymous') ? on.anonymous : await on.as(role as 'admin');
      for (const version of ['v1', 'v2']) {
        const list = `/api/${version}/products`;
        const { id } = (await (await on.as('admin')).post(list, LAMP)).body as { id: number };
        const one = `${list}/${id}`;
        const answers = [
          await client.get(list),
          await client.get(one),
          await client.head(one),
          await client.post(list, LAMP),
          await client.put(one, LAMP),
          await client.patch(one, { price: 1 }),
          await client.delete(one),
        ];
        expect(answers.map(({ status }) => status)).toEqual(expected);
      }
    } finally {
      if (on !== app) await on.stop();
    }
  });

  it('open reading to anonymous callers, but not to bad credentials', async () => {
    const open = await startApp({ ANONYMOUS_ROLE: 'viewer' });
    try {
      const answer = await open.anonymous.get(PRODUCTS);
      expect(answer.headers.get('cache-control')).toMatch(/^public\b/);
      expectError(await bearer(open, 'a.b.c').get(PRODUCTS), 401, 'INVALID_TOKEN');
      const known = await (await open.as('viewer')).get(PRODUCTS);
      expect(known.headers.get('cache-control')).toMatch(/^private\b/);
    } finally {
      await open.stop();
    }
  });
});
