import { setTimeout as sleep } from 'node:timers/promises';

import { Answer, Client, eventually } from '@plinth/dev/testing';
import { Redis } from 'ioredis6';

import { PRODUCT } from '../../../packages/core/src/config/product.js';
import { startOn, TestApp } from '../../support/app.js';
import { cookieOf } from '../../support/cookies.js';
import { createDatabase } from '../../support/databases.js';
import { describeWithRedis, startRedis, TestRedis } from '../../support/redis.js';
import { Credentials } from '../../support/users.js';

const ME = '/api/v1/users/me';
const SECOND = 1_000;

/** A login with the credentials that it issued. */
interface Login {
  readonly user: Credentials;
  readonly id: number;
  readonly session: Client;
  /** The `Cookie` header of the session. */
  readonly cookie: string;
  readonly bearer: Client;
  readonly refreshToken: string;
}

describeWithRedis('sessions in a Redis that is frozen while they are revoked', () => {
  let redis: TestRedis;
  let one: TestApp;
  let two: TestApp;
  let admin: Client;

  beforeAll(async () => {
    redis = await startRedis();
    const database = await createDatabase();
    const settings = { REDIS_URL: redis.url, SESSION_STORE: 'redis' };
    one = await startOn(database, settings);
    two = await startOn(database, settings);
    admin = await one.as('admin');
  });
  afterEach(() => redis.thaw());
  afterAll(async () => {
    redis.thaw();
    await two.stop();
    await one.stop();
    await redis.remove();
  });

  const logIn = async ({ email, password }: Credentials): Promise<Answer> => {
    for (;;) {
      const login = await one.anonymous.post('/login', { email, password });
      // A connection on which a frozen Redis was silent for too long is reopened, which takes a moment.
      if (login.status !== 503) return login;
      await sleep(50);
    }
  };
  const begin = async (): Promise<Login> => {
    const user = await one.user('viewer');
    const login = await logIn(user);
    const { accessToken } = login.body as { accessToken: string };
    const bearer = one.anonymous.with({ authorization: `Bearer ${accessToken}` });
    const sessions = await bearer.get('/api/v1/sessions');
    const [{ id }] = (sessions.body as { data: [{ id: number }] }).data;
    const cookie = `session_id=${cookieOf(login, 'session_id')}`;
    const session = one.anonymous.with({ cookie, 'sec-fetch-site': 'same-origin' });
    return { user, id, session, cookie, bearer, refreshToken: cookieOf(login, 'refresh_token') };
  };
  const statusOnBoth = async ({ cookie }: Login): Promise<number[]> => {
    const answers = await Promise.all([one, two].map(({ anonymous }) => anonymous.get(ME, { cookie })));
    return answers.map(({ status }) => status);
  };
  const refresh = (refreshToken: string): Promise<Answer> =>
    one.anonymous.post('/auth/refresh', undefined, { cookie: `refresh_token=${refreshToken}` });

  /** Waits until both instances accept the session, so that both have cached it. */
  const mustLive = async (login: Login): Promise<void> => {
    await eventually(async () => String(await statusOnBoth(login)), '200,200', 5 * SECOND);
  };
  const mustBeDead = async (login: Login): Promise<void> => {
    await eventually(async () => String(await statusOnBoth(login)), '401,401', 5 * SECOND);
    // Makes sure that the session is not accepted again.
    for (let i = 0; i < 3; i++) expect(await statusOnBoth(login)).toEqual([401, 401]);
    expect((await refresh(login.refreshToken)).status).toBe(401);
  };

  it.each<[string, number, (login: Login) => Promise<Answer>]>([
    ['DELETE /sessions/{id}', 204, ({ bearer, id }) => bearer.delete(`/api/v1/sessions/${id}`)],
    [
      'a refresh token that was used more than ten seconds ago',
      401,
      async ({ refreshToken }) => {
        const first = await refresh(refreshToken);
        expect(first.status).toBe(200);
        await one.query(`update refresh_tokens set used_at = used_at - interval '11 seconds'`);
        return refresh(refreshToken);
      },
    ],
    [
      'another password',
      200,
      ({ user }) => admin.patch(`/api/v1/users/${user.id}`, { password: 'another password' }),
    ],
    ['another role', 200, ({ user }) => admin.patch(`/api/v1/users/${user.id}`, { role: 'editor' })],
    ['the deletion of the user', 204, ({ user }) => admin.delete(`/api/v1/users/${user.id}`)],
    ['logout with the token only', 204, ({ bearer }) => bearer.post('/api/v1/logout', undefined)],
    [
      'logout with the token and the cookies',
      503,
      ({ bearer, cookie, refreshToken }) =>
        bearer.post('/api/v1/logout', undefined, { cookie: `${cookie}; refresh_token=${refreshToken}` }),
    ],
  ])('are refused once Redis is back: %s', async (_name, status, revoke) => {
    const login = await begin();
    await mustLive(login);
    redis.freeze();
    expect((await revoke(login)).status).toBe(status);
    expect((await login.session.get(ME)).status).toBe(503);
    redis.thaw();
    await mustBeDead(login);
  });

  it('continue after a logout that could not look them up, and end with the next one', async () => {
    const login = await begin();
    await mustLive(login);
    redis.freeze();
    const refused = await login.session.post('/api/v1/logout', undefined);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    redis.thaw();
    await eventually(async () => (await login.session.get(ME)).status, 200, 5 * SECOND);
    expect((await login.session.post('/api/v1/logout', undefined)).status).toBe(204);
    await mustBeDead(login);
  });

  it('are refused even if Redis has lost their removal', async () => {
    const login = await begin();
    await mustLive(login);
    const client = new Redis(redis.url);
    const keys = await client.keys(`${PRODUCT.redisPrefix}session*`);
    const stored = await Promise.all(keys.map(async (key) => [key, await client.get(key)] as const));
    expect((await login.bearer.delete(`/api/v1/sessions/${login.id}`)).status).toBe(204);
    for (const [key, value] of stored) await client.set(key, value ?? '', 'PX', 60 * SECOND);
    client.disconnect();
    await mustBeDead(login);
  });

  it('are not created without Redis, and leave no login behind', async () => {
    const { email, password, id } = await one.user('viewer');
    redis.freeze();
    const refused = await one.anonymous.post('/login', { email, password });
    expect([refused.status, refused.body]).toMatchObject([
      503,
      { error: { code: 'SESSION_STORE_UNAVAILABLE' } },
    ]);
    expect((await one.anonymous.post('/login', { email, password, scheme: 'token' })).status).toBe(200);
    redis.thaw();
    await sleep(100);
    expect(await one.query('select from logins where user_id = $1', [id])).toHaveLength(1);
  });
});
