import '../../../src/config/access.js';
import { ROLE_PERMISSIONS, ROLES } from '../../../src/core/access/permissions.js';
import { startApp, TestApp } from '../../support/app.js';
import { describeWithOwnService } from '../../support/needs.js';
import { basicOf, headersOf, SCHEMES, SchemeName } from '../../support/schemes.js';
import { Credentials } from '../../support/users.js';

const PRODUCTS = '/api/v1/products';

describeWithOwnService('authentication', () => {
  let app: TestApp;
  let user: Credentials;
  let headers: Record<SchemeName, Record<string, string>>;

  beforeAll(async () => {
    app = await startApp({ CORS_ORIGINS: 'https://app.example.com', LOGIN_RATE_LIMIT: '1000' });
    user = await app.user('editor');
    headers = await headersOf(app, user, ['create', 'read', 'update']);
  });
  afterAll(() => app.stop());

  const code = (answer: { body: unknown }) => (answer.body as { error?: { code: string } }).error?.code;

  it.each(ROLES)('gives a caller of role %s the same by every scheme', async (role) => {
    const may = ROLE_PERMISSIONS[role];
    const permissions = [...may];
    const expected = [200, may.has('create') ? 201 : 403, may.has('delete') ? 404 : 403];
    const byScheme = await headersOf(app, await app.user(role), permissions);
    for (const scheme of SCHEMES) {
      const client = app.anonymous.with(byScheme[scheme]);
      const statuses = [
        (await client.get(PRODUCTS)).status,
        (await client.post(PRODUCTS, { name: 'A', price: 1, category: 'b' })).status,
        (await client.delete(`${PRODUCTS}/999999`)).status,
      ];
      expect([scheme, statuses]).toEqual([scheme, expected]);
    }
  });

  describe('never falls through from a bad credential', () => {
    const bad: [string, string, (good: typeof headers) => Record<string, string>][] = [
      [
        'a bad token',
        'INVALID_TOKEN',
        (good) => ({ ...good['api-key'], ...good.session, authorization: 'Bearer x' }),
      ],
      ['an unknown scheme', 'INVALID_TOKEN', (good) => ({ ...good['api-key'], authorization: 'Digest x' })],
      ['an empty Authorization', 'INVALID_TOKEN', (good) => ({ ...good.session, authorization: '' })],
      ['bad Basic', 'INVALID_CREDENTIALS', (good) => ({ ...good['api-key'], authorization: 'Basic ***' })],
      ['Basic alone', 'INVALID_CREDENTIALS', (good) => ({ ...good.session, authorization: 'Basic' })],
      ['a bad key', 'INVALID_API_KEY', (good) => ({ ...good.session, 'x-api-key': 'x'.repeat(43) })],
      ['an empty key', 'INVALID_API_KEY', (good) => ({ ...good.session, 'x-api-key': '' })],
      ['a bad session', 'INVALID_SESSION', () => ({ cookie: `session_id=${'x'.repeat(43)}` })],
      ['an empty session', 'INVALID_SESSION', () => ({ cookie: 'session_id=' })],
      [
        'a session twice',
        'INVALID_SESSION',
        ({ session }) => ({ cookie: `${session['cookie']!}; ${session['cookie']!}` }),
      ],
      ['nothing', 'AUTHENTICATION_REQUIRED', () => ({ cookie: 'other=1' })],
    ];
    it.each(bad)('%s: %s', async (_, expected, of) => {
      const answer = await app.anonymous.get(PRODUCTS, of(headers));
      expect([answer.status, code(answer)]).toEqual([401, expected]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="(.+)".*Basic realm="\1"/);
    });
  });

  it('takes Authorization first, then the key, then the cookie', async () => {
    const other = await headersOf(app, await app.user('admin'), ['read']);
    const me = async (sent: Record<string, string>) => {
      const list = await app.anonymous.get('/api/v1/sessions', sent);
      return (list.body as { pagination: { total: number } }).pagination.total;
    };
    await app.anonymous.post('/api/v1/login', { email: user.email, password: user.password });
    expect(await me({ ...other['api-key'], ...other.session, ...headers.bearer })).toBe(2);
    expect(await me({ ...other.session, ...headers['api-key'] })).toBe(2);
  });

  it('answers 401 before it reads a body', async () => {
    const answer = await app.anonymous.post(PRODUCTS, '{', { 'x-api-key': 'bad' });
    expect([answer.status, code(answer)]).toEqual([401, 'INVALID_API_KEY']);
  });

  it.each(['a:b::c: d', ':starts with a colon', ' pässwörd 🔑 ', 'ü'.repeat(128)])(
    'verifies the password %j exactly as it is',
    async (password) => {
      const { Passwords } = await import('../../../src/users/passwords.js');
      const { id, email } = await app.user('viewer');
      const hash = await new Passwords().hash(password);
      await app.query('update users set password_hash = $1 where id = $2', [hash, id]);
      expect((await app.anonymous.post('/api/v1/login', { email, password })).status).toBe(200);
      const read = (sent: string) =>
        app.anonymous.get(PRODUCTS, { authorization: basicOf({ email, password: sent }) });
      expect((await read(password)).status).toBe(200);
      expect((await read(`${password} `)).status).toBe(401);
      expect((await read(password.slice(0, -1))).status).toBe(401);
    },
  );

  it.each(['PUT', 'PATCH', 'DELETE', 'POST'])(
    'tells browsers of allowed origins that they may %s',
    async (method) => {
      const preflight = (origin: string) =>
        app.anonymous.request('OPTIONS', `${PRODUCTS}/1`, {
          headers: {
            origin,
            'access-control-request-method': method,
            'access-control-request-headers': 'authorization,content-type,if-match,x-api-key,idempotency-key',
          },
        });
      const { status, headers: answered } = await preflight('https://app.example.com');
      expect(status).toBe(204);
      expect(answered.get('access-control-allow-origin')).toBe('https://app.example.com');
      expect(answered.get('access-control-allow-credentials')).toBe('true');
      expect(answered.get('access-control-allow-methods')).toContain(method);
      expect(answered.get('access-control-allow-headers')).toContain('x-api-key');
      const other = await preflight('https://evil.example');
      expect(other.headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
    },
  );

  describe('a write with a session cookie', () => {
    it.each([
      [{ 'sec-fetch-site': 'same-origin' }, 201],
      [{ origin: 'https://app.example.com' }, 201],
      [{ origin: 'https://evil.example' }, 403],
      [{ 'sec-fetch-site': 'cross-site' }, 403],
      [{}, 403],
    ])('with %j: %i', async (provenance, status) => {
      const cookie = headers.session['cookie']!;
      const body = { name: 'A', price: 1, category: 'b' };
      const answer = await app.anonymous.post(PRODUCTS, body, { cookie, ...provenance });
      expect(answer.status).toBe(status);
      if (status === 403) expect(code(answer)).toBe('CROSS_ORIGIN_REJECTED');
      expect((await app.anonymous.get(PRODUCTS, { cookie, ...provenance })).status).toBe(200);
    });
  });
});
