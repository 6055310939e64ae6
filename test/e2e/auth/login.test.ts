import { useApp } from '../../support/app.js';
import { cookieOf, cookiesOf } from '../../support/cookies.js';
import { Credentials } from '../../support/users.js';

const refreshWith = (token: string) => ({ cookie: `refresh_token=${token}` });

describe('logging in', () => {
  const app = useApp();
  let user: Credentials;
  const login = (body: object = {}, path = '/api/v1/login') =>
    app.anonymous.post(path, { email: user.email, password: user.password, ...body });

  beforeEach(async () => {
    user = await app.user('viewer');
  });

  it('gives a token in the body, a session and a refresh token in cookies', async () => {
    const answer = await login();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 900,
      user: { id: user.id, email: user.email, role: 'viewer' },
    });
    const { refresh_token: refresh, session_id: session } = cookiesOf(answer);
    expect(refresh?.attributes.sort()).toEqual(
      ['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Strict', 'Secure'].sort(),
    );
    expect(session?.attributes.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'].sort());
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('gives one of the two on request, at the root too', async () => {
    const token = await login({ scheme: 'token' }, '/login');
    expect(Object.keys(cookiesOf(token))).toEqual(['refresh_token']);
    const session = await login({ scheme: 'session' }, '/login');
    expect(Object.keys(cookiesOf(session))).toEqual(['session_id']);
    expect(session.body).toEqual({ user: expect.objectContaining({ id: user.id }) });
    expect((await login({ scheme: 'cookie' })).status).toBe(422);
  });

  it('never gives the same secrets twice, and stores digests only', async () => {
    const [one, two] = [await login(), await login()];
    for (const name of ['session_id', 'refresh_token']) {
      expect(cookieOf(one, name)).not.toBe(cookieOf(two, name));
      expect(cookieOf(one, name)).toHaveLength(43);
    }
    const stored = await app.query('select digest from sessions union all select digest from refresh_tokens');
    expect(JSON.stringify(stored)).not.toContain(cookieOf(one, 'session_id'));
  });

  it.each(['/login', '/api/v1/login', '/api/v2/login', '/api/login'])('is at %s', async (path) => {
    expect((await login({}, path)).status).toBe(200);
  });

  it('answers a wrong e-mail and a wrong password alike', async () => {
    const wrongPassword = await login({ password: 'not the password' });
    const wrongEmail = await login({ email: 'nobody@example.com' });
    expect(wrongPassword.status).toBe(401);
    expect(wrongEmail.text).toBe(wrongPassword.text);
    expect([...wrongEmail.headers.keys()]).toEqual([...wrongPassword.headers.keys()]);
    expect(wrongPassword.body).toMatchObject({ error: { code: 'INVALID_CREDENTIALS' } });
    expect(wrongPassword.headers.get('www-authenticate')).toMatch(/^Bearer realm=".+".*, Basic realm=/);
  });

  describe('refreshing', () => {
    it('replaces the token; one that was used ends the whole family', async () => {
      const first = cookieOf(await login(), 'refresh_token');
      const refreshed = await app.anonymous.post('/auth/refresh', undefined, refreshWith(first));
      expect(refreshed.status).toBe(200);
      expect(Object.keys(refreshed.body as object).sort()).toEqual(['accessToken', 'expiresIn', 'tokenType']);
      const second = cookieOf(refreshed, 'refresh_token');
      expect(second).not.toBe(first);

      const again = await app.anonymous.post('/api/v1/auth/refresh', undefined, refreshWith(first));
      expect(again.status).toBe(401);
      const successor = await app.anonymous.post('/api/v1/auth/refresh', undefined, refreshWith(second));
      expect(successor.status).toBe(401);
    });

    it('lets one of many at once win, and never leaves two families', async () => {
      const token = cookieOf(await login(), 'refresh_token');
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => app.anonymous.post('/auth/refresh', undefined, refreshWith(token))),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
      const live = await app.query(
        `select 1 from refresh_tokens join logins on logins.id = login_id where user_id = $1 and used_at is null`,
        [user.id],
      );
      expect(live.length).toBeLessThanOrEqual(1);
    });

    it('refuses a token that expired, of a family past its end, unknown, repeated or missing', async () => {
      const expired = cookieOf(await login(), 'refresh_token');
      await app.query(
        `update refresh_tokens set expires_at = now() - interval '1 second'
         where login_id in (select id from logins where user_id = $1)`,
        [user.id],
      );
      const old = cookieOf(await login(), 'refresh_token');
      await app.query(`update logins set created_at = now() - interval '31 days' where user_id = $1`, [
        user.id,
      ]);
      const good = cookieOf(await login(), 'refresh_token');
      const cases: [string | undefined, string][] = [
        [refreshWith(expired).cookie, 'TOKEN_EXPIRED'],
        [refreshWith(old).cookie, 'TOKEN_EXPIRED'],
        [refreshWith('x'.repeat(43)).cookie, 'INVALID_TOKEN'],
        [refreshWith('').cookie, 'INVALID_TOKEN'],
        [`refresh_token=${good}; refresh_token=${good}`, 'INVALID_TOKEN'],
        [undefined, 'AUTHENTICATION_REQUIRED'],
      ];
      for (const [cookie, code] of cases) {
        const answer = await app.anonymous.post('/auth/refresh', undefined, cookie ? { cookie } : {});
        expect([cookie, answer.status, answer.body]).toMatchObject([cookie, 401, { error: { code } }]);
      }
      expect((await app.anonymous.post('/auth/refresh', undefined, refreshWith(good))).status).toBe(200);
    });
  });

  describe('logging out', () => {
    it('ends the session and the family of the cookies, and clears both', async () => {
      const answer = await login();
      const { accessToken } = answer.body as { accessToken: string };
      const refresh = cookieOf(answer, 'refresh_token');
      const out = await app.anonymous.post('/api/v1/logout', undefined, {
        authorization: `Bearer ${accessToken}`,
        cookie: `session_id=${cookieOf(answer, 'session_id')}; refresh_token=${refresh}`,
      });
      expect(out.status).toBe(204);
      for (const { value, attributes } of Object.values(cookiesOf(out))) {
        expect([value, attributes]).toEqual(['', expect.arrayContaining(['Max-Age=0'])]);
      }
      expect((await app.anonymous.post('/auth/refresh', undefined, refreshWith(refresh))).status).toBe(401);
    });

    it('needs credentials', async () => {
      expect((await app.anonymous.post('/api/v1/logout', undefined)).status).toBe(401);
    });
  });
});
