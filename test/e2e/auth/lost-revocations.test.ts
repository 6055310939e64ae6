import { startOn, TestApp } from '../../support/app.js';
import { Client } from '../../support/client.js';
import { cookieOf } from '../../support/cookies.js';
import { createDatabase } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { describeWithOwnService } from '../../support/needs.js';
import { TcpProxy } from '../../support/tcp-proxy.js';

const ME = '/api/v1/users/me';
const PATIENCE_MS = 10_000;

describeWithOwnService.each(['memory', 'database'])('sessions in the store %s', (store) => {
  let app: TestApp;
  let proxy: TcpProxy;
  let bearer: Client;
  let session: Client;
  let loginId: number;

  beforeAll(async () => {
    const database = await createDatabase();
    proxy = await TcpProxy.to(database.url);
    app = await startOn(database, {
      SESSION_STORE: store,
      DATABASE_URL: proxy.urlOf(database.url),
      DATABASE_STATEMENT_TIMEOUT_MS: '1000',
    });
  });
  afterAll(async () => {
    await app.stop();
    await proxy.refuse();
  });

  beforeEach(async () => {
    const { email, password, id } = await app.user('viewer');
    const login = await app.anonymous.post('/login', { email, password });
    const { accessToken } = login.body as { accessToken: string };
    bearer = app.anonymous.with({ authorization: `Bearer ${accessToken}` });
    session = app.anonymous.with({ cookie: `session_id=${cookieOf(login, 'session_id')}` });
    const [row] = await app.query<{ id: number }>('select id from logins where user_id = $1', [id]);
    loginId = row!.id;
    expect((await session.get(ME)).status).toBe(200);
    // From here on the service remembers that the user exists: a logout by the token is one statement.
    expect((await bearer.patch(`/api/v1/users/${id}`, {})).status).toBe(200);
  });

  const isGone = async () => (await app.query('select from logins where id = $1', [loginId])).length === 0;

  it('are dead where PostgreSQL ended them, and its answer was lost', async () => {
    proxy.mute();
    const logout = bearer.post('/api/v1/logout', undefined);
    await eventually(isGone, true, PATIENCE_MS);
    proxy.cut();
    expect((await logout).status).toBeGreaterThanOrEqual(500);
    await eventually(async () => (await session.get(ME)).status, 401, PATIENCE_MS);
    expect((await session.get(ME)).status).toBe(401);
  });

  it('are ended by another attempt where PostgreSQL was frozen', async () => {
    proxy.freeze();
    const refused = await bearer.delete(`/api/v1/sessions/${loginId}`);
    expect(refused.status).toBeGreaterThanOrEqual(500);
    proxy.thaw();
    const remove = async () => (await bearer.delete(`/api/v1/sessions/${loginId}`)).status;
    await eventually(async () => [204, 404].includes(await remove()), true, PATIENCE_MS);
    expect(await isGone()).toBe(true);
    await eventually(async () => (await session.get(ME)).status, 401, PATIENCE_MS);
  });
});
