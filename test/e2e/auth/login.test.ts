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

  it('returns a token in the body, and a session and a refresh token in cookies', async () => {
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

  it('returns only the token or only the session on request, at the root path too', async () => {
    const token = await login({ scheme: 'token' }, '/login');
    expect(Object.keys(cookiesOf(token))).toEqual(['refresh_token']);
    const session = await login({ scheme: 'session' }, '/login');
    expect(Object.keys(cookiesOf(session))).toEqual(['session_id']);
    expect(session.body).toEqual({ user: expect.objectContaining({ id: user.id }) });
    expect((await login({ scheme: 'cookie' })).status).toBe(422);
  });

  it('never returns the same secrets twice, and stores only their digests', async () => {
    const [one, two] = [await login(), await login()];
    for (const name of ['session_id', 'refresh_token']) {
      expect(cookieOf(one, name)).not.toBe(cookieOf(two, name));
      expect(cookieOf(one, name)).toHaveLength(43);
    }
    const stored = await app.query('select digest from sessions union all select digest from refresh_tokens');
    expect(JSON.stringify(stored)).not.toContain(cookieOf(one, 'session_id'));
  });

  it.each(['/login', '/api/v1/login', '/api/v2/login', '/api/login'])('is available at %s', async (path) => {
    expect((await login({}, path)).status).toBe(200);
  });

  it('shows the user in the version of its path', async () => {
    const shown = async (path: string): Promise<unknown> =>
      ((await login({}, path)).body as { user: unknown }).user;
    const { accessToken } = (await login()).body as { accessToken: string };
    const client = app.anonymous.with({ authorization: `Bearer ${accessToken}` });
    for (const version of ['v1', 'v2']) {
      const me = await client.get(`/api/${version}/users/me`);
      expect(await shown(`/api/${version}/login`)).toEqual(me.body);
    }
    expect(await shown('/api/v2/login')).toMatchObject({ emailVerified: false, etag: expect.any(String) });
    expect(await shown('/login')).toEqual(await shown('/api/v1/login'));
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
    const tenSecondsPass = () =>
      app.query(
        `update refresh_tokens set used_at = used_at - interval '11 seconds'
         where login_id in (select id from logins where user_id = $1)`,
        [user.id],
      );

    it('keeps three tabs logged in, even if a late one sends the first cookie', async () => {
      const refresh = (token: string) => app.anonymous.post('/auth/refresh', undefined, refreshWith(token));
      const first = cookieOf(await login(), 'refresh_token');
      const second = cookieOf(await refresh(first), 'refresh_token');
      expect((await refresh(first)).status).toBe(401);
      const third = cookieOf(await refresh(second), 'refresh_token');
      const late = await refresh(first);
      expect([late.status, cookiesOf(late)]).toEqual([401, {}]);
      expect((await refresh(third)).status).toBe(200);
    });

    it('replaces the token, and ends the whole family if a token is used again after ten seconds', async () => {
      const first = cookieOf(await login(), 'refresh_token');
      const refreshed = await app.anonymous.post('/auth/refresh', undefined, refreshWith(first));
      expect(refreshed.status).toBe(200);
      expect(Object.keys(refreshed.body as object).sort()).toEqual(['accessToken', 'expiresIn', 'tokenType']);
      const second = cookieOf(refreshed, 'refresh_token');
      expect(second).not.toBe(first);
      await tenSecondsPass();

      const again = await app.anonymous.post('/api/v1/auth/refresh', undefined, refreshWith(first));
      expect([again.status, cookieOf(again, 'refresh_token')]).toEqual([401, '']);
      const successor = await app.anonymous.post('/api/v1/auth/refresh', undefined, refreshWith(second));
      expect(successor.status).toBe(401);
    });

    it('ends nothing if a used token is sent again within ten seconds, and everything later', async () => {
      const { accessToken } = (await login()).body as { accessToken: string };
      const first = cookieOf(await login(), 'refresh_token');
      const refresh = (token: string) => app.anonymous.post('/auth/refresh', undefined, refreshWith(token));
      const refreshed = await refresh(first);
      const second = cookieOf(refreshed, 'refresh_token');
      for (const again of await Promise.all([refresh(first), refresh(first)])) {
        expect([again.status, again.body]).toMatchObject([401, { error: { code: 'INVALID_TOKEN' } }]);
        // The other tab may have stored the new cookie already. Clearing it would log the page out.
        expect(cookiesOf(again)).toEqual({});
      }
      const bearer = { authorization: `Bearer ${(refreshed.body as { accessToken: string }).accessToken}` };
      const created = await app.anonymous.post('/api/v1/api-keys', { name: 'still logged in' }, bearer);
      expect(created.status).toBe(201);
      await tenSecondsPass();
      expect((await refresh(first)).status).toBe(401);
      expect((await refresh(second)).status).toBe(401);
      // Another login of the same user continues.
      const other = { authorization: `Bearer ${accessToken}` };
      expect((await app.anonymous.post('/api/v1/api-keys', { name: 'other' }, other)).status).toBe(201);
    });

    it('keeps two tabs logged in: the one that lost the race refreshes with the new cookie', async () => {
      let cookie = cookieOf(await login(), 'refresh_token');
      // A browser has one cookie for all tabs, and each response may replace it.
      const tab = async () => {
        const answer = await app.anonymous.post('/auth/refresh', undefined, refreshWith(cookie));
        const { refresh_token: replaced } = cookiesOf(answer);
        if (replaced) cookie = replaced.value;
        return answer.status;
      };
      for (let i = 0; i < 3; i++) {
        const statuses = await Promise.all([tab(), tab()]);
        expect(statuses.sort()).toEqual([200, 401]);
        expect(await tab()).toBe(200);
      }
    });

    it('succeeds for exactly one of many requests at once, whose token works', async () => {
      const token = cookieOf(await login(), 'refresh_token');
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => app.anonymous.post('/auth/refresh', undefined, refreshWith(token))),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
      const winner = cookieOf(
        answers.find(({ status }) => status === 200)!,
        'refresh_token',
      );
      const live = await app.query(
        `select 1 from refresh_tokens join logins on logins.id = login_id where user_id = $1 and used_at is null`,
        [user.id],
      );
      expect(live).toHaveLength(1);
      expect((await app.anonymous.post('/auth/refresh', undefined, refreshWith(winner))).status).toBe(200);
    });

    it('refuses a token that is expired, of an expired family, unknown, repeated or missing', async () => {
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
        expect(Object.keys(cookiesOf(answer))).toEqual(cookie ? ['refresh_token'] : []);
      }
      expect((await app.anonymous.post('/auth/refresh', undefined, refreshWith(good))).status).toBe(200);
    });
  });

  describe('logging out', () => {
    it('ends the session and the refresh tokens of the cookies, and clears both cookies', async () => {
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

    it('ends the login if only the refresh cookie is sent, as after reloading a page', async () => {
      const answer = await login({ scheme: 'token' });
      const refresh = cookieOf(answer, 'refresh_token');
      const out = await app.anonymous.post('/api/v1/logout', undefined, refreshWith(refresh));
      expect([out.status, Object.keys(cookiesOf(out)).sort()]).toEqual([
        204,
        ['refresh_token', 'session_id'],
      ]);
      expect((await app.anonymous.post('/auth/refresh', undefined, refreshWith(refresh))).status).toBe(401);
    });

    it('ends the login if only the access token is sent', async () => {
      const answer = await login({ scheme: 'token' });
      const { accessToken } = answer.body as { accessToken: string };
      const bearer = { authorization: `Bearer ${accessToken}` };
      expect((await app.anonymous.post('/api/v1/logout', undefined, bearer)).status).toBe(204);
      const refresh = refreshWith(cookieOf(answer, 'refresh_token'));
      expect((await app.anonymous.post('/auth/refresh', undefined, refresh)).status).toBe(401);
    });

    it.each<[string, Record<string, string>]>([
      ['no credentials', {}],
      ['an invalid token', { authorization: 'Bearer x.y.z' }],
      ['wrong Basic credentials', { authorization: `Basic ${btoa('a@example.com:wrong')}` }],
      ['an unknown API key', { 'x-api-key': 'x'.repeat(43) }],
      ['unknown cookies', { cookie: `session_id=${'x'.repeat(43)}; refresh_token=${'y'.repeat(43)}` }],
      ['malformed cookies', { cookie: 'session_id=; refresh_token=%00' }],
      ['repeated cookies', { cookie: 'refresh_token=a; refresh_token=b; session_id=c; session_id=d' }],
    ])('answers 204 to %s and clears both cookies, however often it is repeated', async (_name, headers) => {
      for (let i = 0; i < 2; i++) {
        const out = await app.anonymous.post('/api/v1/logout', undefined, headers);
        expect(out.status).toBe(204);
        expect(Object.keys(cookiesOf(out)).sort()).toEqual(['refresh_token', 'session_id']);
      }
    });

    it('ends the login of the cookies even if the access token sent with them has expired', async () => {
      const [one, two] = [await login(), await login()];
      const { accessToken } = one.body as { accessToken: string };
      const authorization = `Bearer ${accessToken}`;
      expect((await app.anonymous.post('/api/v1/logout', undefined, { authorization })).status).toBe(204);
      const refresh = refreshWith(cookieOf(two, 'refresh_token'));
      const out = await app.anonymous.post('/api/v1/logout', undefined, { authorization, ...refresh });
      expect(out.status).toBe(204);
      expect((await app.anonymous.post('/auth/refresh', undefined, refresh)).status).toBe(401);
    });
  });
});
