import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import jwt from 'jsonwebtoken';

import { startApp, startOn, TestApp } from '../support/app.js';
import { Answer, Client } from '../support/client.js';
import { createDatabase } from '../support/databases.js';
import { exchange, expectError, wire } from '../support/raw-http.js';

const PRODUCTS = '/api/v1/products';
const SECRET = 'the-first-secret-of-at-least-32-bytes!';
const OTHER_SECRET = 'another-secret-of-at-least-32-bytes!!!';
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
  app = await startApp({ JWT_SECRET: SECRET });
});
afterAll(() => app.stop());

describe('login', () => {
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
    const { email } = await app.user('viewer');
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    const measure = async (kind: keyof typeof times, who: string): Promise<void> => {
      const started = performance.now();
      await login(app, who, 'wrong password');
      times[kind].push(performance.now() - started);
    };
    for (let i = 0; i < 12; i++) {
      await measure('known', email);
      await measure('unknown', `nobody-${i}@example.com`);
    }
    const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length / 2] as number;
    const ratio = median(times.unknown) / median(times.known);
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
    const own = await startOn(await createDatabase(), { JWT_SECRET: SECRET });
    try {
      const { email, id } = await own.user('viewer');
      const { Passwords } = await import('#src/users/passwords.js');
      const hash = await new Passwords().hash(password);
      await own.query('update users set password_hash = $1 where id = $2', [hash, id]);
      expect((await login(own, email, password)).status).toBe(200);
      // Unicode is not normalized, and nothing is cut off.
      for (const near of [password.normalize('NFD'), password.trim(), password.slice(0, 72)]) {
        if (near !== password) expectError(await login(own, email, near), 401, 'INVALID_CREDENTIALS');
      }
    } finally {
      await own.stop();
    }
  });

  it('makes a new token each time', async () => {
    const { email, password } = await app.user('viewer');
    const tokens = new Set<string>();
    for (let i = 0; i < 3; i++) tokens.add(((await login(app, email, password)).body as Login).accessToken);
    expect(tokens.size).toBe(3);
  });
});

describe('an access token', () => {
  const decode = (token: string): { header: Record<string, unknown>; payload: Record<string, unknown> } =>
    jwt.decode(token, { complete: true }) as never;

  it('holds the claims of the contract, and nothing else', async () => {
    const { id, email, password } = await app.user('admin');
    const { accessToken } = (await login(app, email, password)).body as Login;
    const { header, payload } = decode(accessToken);
    expect(header).toEqual({ alg: 'HS256', typ: 'at+jwt', kid: expect.stringMatching(/./) });
    expect(payload).toEqual({
      user_id: id,
      role: 'admin',
      iss: 'plinth',
      aud: 'plinth-api',
      iat: expect.any(Number),
      exp: (payload['iat'] as number) + 900,
      jti: expect.stringMatching(/^.{16,}$/),
    });
    expect(Math.abs((payload['iat'] as number) - Date.now() / 1000)).toBeLessThan(5);
  });

  describe('that is forged is 401', () => {
    const b64 = (value: unknown): string =>
      Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
    const signed = (header: unknown, payload: unknown, secret = SECRET, hash = 'sha256'): string => {
      const text = `${b64(header)}.${b64(payload)}`;
      return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
    };
    const now = Math.floor(Date.now() / 1000);
    type Forge = (good: {
      token: string;
      header: Record<string, unknown>;
      payload: Record<string, unknown>;
    }) => string;
    const claims =
      (change: object): Forge =>
      ({ header, payload }) =>
        signed(header, { ...payload, ...change });
    const head =
      (change: object): Forge =>
      ({ header, payload }) =>
        signed({ ...header, ...change }, payload);
    it.each<[string, Forge]>([
      ['another secret', ({ header, payload }) => signed(header, payload, OTHER_SECRET)],
      ['an empty secret', ({ header, payload }) => signed(header, payload, '')],
      ['no signature', ({ token }) => token.replace(/[^.]+$/, '')],
      ['a changed signature', ({ token }) => token.replace(/.{4}$/, 'AAAA')],
      ['a signature too many', ({ token }) => `${token}.x`],
      [
        'a changed payload',
        ({ token, payload }) => token.replace(/\.[^.]+\./, `.${b64({ ...payload, role: 'admin' })}.`),
      ],
      ['alg none', ({ header, payload }) => `${b64({ ...header, alg: 'none' })}.${b64(payload)}.`],
      [
        'alg None in other case',
        ({ header, payload }) => `${b64({ ...header, alg: 'nOnE' })}.${b64(payload)}.`,
      ],
      ['HS512', ({ header, payload }) => signed({ ...header, alg: 'HS512' }, payload, SECRET, 'sha512')],
      ['HS384', ({ header, payload }) => signed({ ...header, alg: 'HS384' }, payload, SECRET, 'sha384')],
      [
        'RS256',
        ({ header, payload }) =>
          jwt.sign(payload, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey, {
            algorithm: 'RS256',
            keyid: String(header['kid']),
          }),
      ],
      ['an unknown kid', head({ kid: 'nobody' })],
      ['no kid', head({ kid: undefined })],
      ['a kid that is no text', head({ kid: { $ne: 1 } })],
      ['a kid of Object', head({ kid: '__proto__' })],
      ['another kind of token', head({ typ: 'rt+jwt' })],
      ['no kind', head({ typ: undefined })],
      ['the kind of any JWT', head({ typ: 'JWT' })],
      ['a critical header', head({ crit: ['x'], x: 1 })],
      ['no exp', claims({ exp: undefined })],
      ['exp as text', claims({ exp: String(now + 900) })],
      ['exp with a fraction', claims({ exp: now + 900.5 })],
      ['exp null', claims({ exp: null })],
      [
        'exp beyond doubles',
        ({ header, payload }) => signed(header, JSON.stringify(payload).replace(/"exp":\d+/, '"exp":1e400')),
      ],
      ['another issuer', claims({ iss: 'somebody' })],
      ['no issuer', claims({ iss: undefined })],
      ['another audience', claims({ aud: 'somebody' })],
      ['no audience', claims({ aud: undefined })],
      ['not valid yet', claims({ nbf: now + 900 })],
      ['no user', claims({ user_id: undefined })],
      ['a user that is no number', claims({ user_id: '1 or 1=1' })],
      ['an unknown role', claims({ role: 'root' })],
      ['a role of Object', claims({ role: 'constructor' })],
      ['a list of roles', claims({ role: ['admin'] })],
      ['a payload of text', ({ header }) => signed(header, '"text"')],
      ['a payload of null', ({ header }) => signed(header, 'null')],
      ['a payload that is an array', ({ header }) => signed(header, '[]')],
      ['a payload that is no JSON', ({ header }) => signed(header, '{')],
      ['a header of null', ({ payload }) => signed('null', payload)],
      ['a header that is no JSON', ({ payload }) => signed('{', payload)],
      ['no token', () => ''],
      ['dots', () => '..'],
      ['noise', () => randomBytes(60).toString('base64url')],
      ['5,000 characters', () => 'a'.repeat(5_000)],
      ['letters that no token has', () => 'ä.ö.ü'],
    ])('%s', async (_what, forge) => {
      const { email, password } = await app.user('viewer');
      const { accessToken: token } = (await login(app, email, password)).body as Login;
      const forged = forge({ token, ...decode(token) });
      const { answer } = await exchange(app, wire(`GET ${PRODUCTS}`, [`Authorization: Bearer ${forged}`]));
      expectError(answer, 401, 'INVALID_TOKEN');
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/);
    });
  });

  it.each(['Bearer', 'bearer', 'BEARER'])('is taken with the scheme %s', async (scheme) => {
    const { email, password } = await app.user('viewer');
    const { accessToken } = (await login(app, email, password)).body as Login;
    const authorization = `${scheme} ${accessToken}`;
    expect((await app.anonymous.with({ authorization }).get(PRODUCTS)).status).toBe(200);
    for (const near of [
      accessToken,
      `NotBearer ${accessToken}`,
      `${authorization} x`,
      `${authorization}, x`,
    ]) {
      expect((await app.anonymous.with({ authorization: near }).get(PRODUCTS)).status).toBe(401);
    }
  });

  it('expires, however often it was used before', async () => {
    const brief = await startApp({ ACCESS_TOKEN_TTL: '1' });
    try {
      const { email, password } = await brief.user('viewer');
      const { accessToken, expiresIn } = (await login(brief, email, password)).body as Login;
      const used = bearer(brief, accessToken);
      expect([expiresIn, (await used.get(PRODUCTS)).status]).toEqual([1, 200]);
      const { accessToken: unused } = (await login(brief, email, password)).body as Login;
      await sleep(2_100);
      for (const client of [used, used, bearer(brief, unused)]) {
        const answer = await client.get(PRODUCTS);
        expectError(answer, 401, 'TOKEN_EXPIRED');
        expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      }
    } finally {
      await brief.stop();
    }
  });

  it('outlives the rotation of secrets while its own is kept', async () => {
    const { email, password } = await app.user('viewer');
    const { accessToken } = (await login(app, email, password)).body as Login;
    const rotated = await startApp({ JWT_SECRET: `${OTHER_SECRET},${SECRET}` });
    const retired = await startApp({ JWT_SECRET: OTHER_SECRET });
    try {
      expect((await bearer(rotated, accessToken).get(PRODUCTS)).status).toBe(200);
      const user = await rotated.user('viewer');
      const fresh = (await login(rotated, user.email, user.password)).body as Login;
      expect((await bearer(retired, fresh.accessToken).get(PRODUCTS)).status).toBe(200);
      expectError(await bearer(retired, accessToken).get(PRODUCTS), 401, 'INVALID_TOKEN');
    } finally {
      await Promise.all([rotated.stop(), retired.stop()]);
    }
  });
});

describe('the roles', () => {
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
