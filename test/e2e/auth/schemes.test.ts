import { useApp } from '../../support/app.js';
import { basicOf, headersOf, SchemeName } from '../../support/schemes.js';
import { Credentials } from '../../support/users.js';

const PRODUCTS = '/api/v1/products';

describe('authentication', () => {
  const app = useApp({ CORS_ORIGINS: 'https://app.example.com', LOGIN_RATE_LIMIT: '1000' });
  let user: Credentials;
  let headers: Record<SchemeName, Record<string, string>>;

  beforeAll(async () => {
    user = await app.user('editor');
    headers = await headersOf(app, user, ['create', 'read', 'update']);
  });

  const code = (answer: { body: unknown }) => (answer.body as { error?: { code: string } }).error?.code;

  describe('never falls back from an invalid credential to another one', () => {
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

  it('prefers Authorization to the API key, and the key to the cookie', async () => {
    const other = await headersOf(app, await app.user('admin'), ['read']);
    const me = async (sent: Record<string, string>) => {
      const list = await app.anonymous.get('/api/v1/sessions', sent);
      return (list.body as { pagination: { total: number } }).pagination.total;
    };
    await app.anonymous.post('/api/v1/login', { email: user.email, password: user.password });
    expect(await me({ ...other['api-key'], ...other.session, ...headers.bearer })).toBe(2);
    expect(await me({ ...other.session, ...headers['api-key'] })).toBe(2);
  });

  it.each(['a:b::c: d', ':starts with a colon', ' pässwörd 🔑 ', 'ü'.repeat(128), '💡"\\ é'])(
    'verifies the password %j exactly as it is sent',
    async (password) => {
      const { Passwords } = await import('../../../packages/core/src/accounts/passwords.js');
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

  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, 201],
    [{ origin: 'https://app.example.com' }, 201],
    [{ origin: 'https://evil.example' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{}, 403],
  ])('answers a write with a session cookie and %j with %i', async (provenance, status) => {
    const cookie = headers.session['cookie']!;
    const body = { name: 'A', price: 1, category: 'b' };
    const answer = await app.anonymous.post(PRODUCTS, body, { cookie, ...provenance });
    expect(answer.status).toBe(status);
    if (status === 403) expect(code(answer)).toBe('CROSS_ORIGIN_REJECTED');
    expect((await app.anonymous.get(PRODUCTS, { cookie, ...provenance })).status).toBe(200);
  });
});
