import { Answer, errorOf, startApp, TestApp } from '@plinth/dev/testing';

import { AppModule } from '../../src/app.module.js';

const ME = '/api/v1/users/me';

describe('authentication', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp(AppModule);
  });
  afterAll(() => app.stop());

  const cookieOf = ({ headers }: Answer, name: string): string =>
    headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith(`${name}=`))
      ?.split(';')[0] ?? '';

  async function login(): Promise<Answer> {
    const { email, password } = await app.user('viewer');
    return app.anonymous.post('/api/v1/login', { email, password });
  }

  it('answers a wrong password exactly as it answers an unknown user', async () => {
    const { email } = await app.user('viewer');
    const wrong = await app.anonymous.post('/api/v1/login', { email, password: 'not this one' });
    const unknown = await app.anonymous.post('/api/v1/login', {
      email: 'nobody@example.com',
      password: 'nor this',
    });
    expect([errorOf(wrong), errorOf(unknown)]).toEqual([
      '401 INVALID_CREDENTIALS',
      '401 INVALID_CREDENTIALS',
    ]);
  });

  it('accepts a refresh token only once', async () => {
    const cookie = cookieOf(await login(), 'refresh_token');
    const refreshed = await app.anonymous.post('/api/v1/auth/refresh', undefined, { cookie });
    const { accessToken } = refreshed.body as { accessToken: string };
    expect((await app.anonymous.get(ME, { authorization: `Bearer ${accessToken}` })).status).toBe(200);
    expect((await app.anonymous.post('/api/v1/auth/refresh', undefined, { cookie })).status).toBe(401);
  });

  it('refuses the refresh token after a logout', async () => {
    const loggedIn = await login();
    const { accessToken } = loggedIn.body as { accessToken: string };
    const cookie = cookieOf(loggedIn, 'refresh_token');
    const headers = { authorization: `Bearer ${accessToken}`, cookie };
    expect((await app.anonymous.post('/api/v1/logout', undefined, headers)).status).toBe(204);
    expect((await app.anonymous.post('/api/v1/auth/refresh', undefined, { cookie })).status).toBe(401);
  });

  it('accepts the cookie of a session', async () => {
    const cookie = cookieOf(await login(), 'session_id');
    expect((await app.anonymous.get(ME, { cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('lets an API key use its own permissions and no others', async () => {
    const editor = await app.as('editor');
    const created = await editor.post('/api/v1/api-keys', { name: 'export', permissions: ['read'] });
    const { key } = created.body as { key: string };
    const client = app.anonymous.with({ 'x-api-key': key });
    expect((await client.get('/api/v1/products')).status).toBe(200);
    const body = { name: 'Lamp', price: 20, category: 'lamps' };
    expect(errorOf(await client.post('/api/v1/products', body))).toBe('403 PERMISSION_DENIED');
  });
});
