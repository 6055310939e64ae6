import { setTimeout as sleep } from 'node:timers/promises';

import { createProxy, startApp, TestApp } from '../../support/app.js';
import { hasRedis, startRedis, TestRedis } from '../../support/redis.js';
import { headersOf } from '../../support/schemes.js';

const TTL_MS = 2_000;
const SESSION_TTL = String(TTL_MS / 1000);

interface SessionBody {
  id: number;
  current: boolean;
  lastSeenAt: string;
}

const STORES = ['memory', 'database', ...(hasRedis ? ['redis'] : [])];
const apps = new Map<string, TestApp>();
const lives = new Map<string, Promise<{ used: number; unused: number }>>();
let redis: TestRedis | undefined;

beforeAll(async () => {
  redis = hasRedis ? await startRedis() : undefined;
  for (const store of STORES) {
    const settings = {
      SESSION_STORE: store,
      SESSION_TTL,
      ...(store === 'redis' && { REDIS_URL: redis!.url }),
    };
    const app = await startApp(settings);
    apps.set(store, app);
    // Mostly waits, so it runs in parallel with the other stores and tests.
    lives.set(store, lifeOfSession(app));
  }
});
afterAll(async () => {
  await Promise.all([...lives.values()]);
  for (const app of apps.values()) await app.stop();
  await redis?.remove();
});

const readOn = async (app: TestApp, headers: Record<string, string>): Promise<number> =>
  (await app.anonymous.get('/api/v1/products', headers)).status;

/**
 * Uses a session for longer than its time to live, then leaves it unused for as long. Returns the status of
 * both reads.
 */
async function lifeOfSession(app: TestApp): Promise<{ used: number; unused: number }> {
  for (;;) {
    let usedAt = performance.now();
    const { session } = await headersOf(app, await app.user('viewer'), ['read']);
    let used = 200;
    let longestGapMs = 0;
    for (const begin = performance.now(); used === 200 && performance.now() - begin < 1.5 * TTL_MS;) {
      await sleep(TTL_MS / 5);
      const sentAt = performance.now();
      used = await readOn(app, session);
      longestGapMs = Math.max(longestGapMs, performance.now() - usedAt);
      usedAt = sentAt;
    }
    // Repeats the run if a busy machine left too long a gap between two uses.
    if (longestGapMs > 0.8 * TTL_MS) continue;
    // The session is extended in parallel with the response, and on a busy machine after it.
    await sleep(1.5 * TTL_MS);
    return { used, unused: await readOn(app, session) };
  }
}

/** Repeats a test if a busy machine lets a short-lived session expire meanwhile. */
async function beforeTheyEnd(test: () => Promise<void>): Promise<void> {
  for (;;) {
    const begin = performance.now();
    try {
      await test();
      return;
    } catch (error) {
      if (performance.now() - begin < 0.8 * TTL_MS) throw error;
    }
  }
}

// Without `redis-server` (Debian: `apt-get install redis-server`), only two stores are tested.
describe.each(STORES)('sessions in %s', (store) => {
  const app = createProxy(() => apps.get(store)!);
  const read = (headers: Record<string, string>): Promise<number> => readOn(app, headers);
  const sessionsOf = async (headers: Record<string, string>) =>
    ((await app.anonymous.get('/api/v1/sessions', headers)).body as { data: SessionBody[] }).data;

  it('are listed, read and ended only by their user', () =>
    beforeTheyEnd(async () => {
      const user = await app.user('viewer');
      const one = await headersOf(app, user, ['read']);
      const two = await headersOf(app, user, ['read']);
      const stranger = await headersOf(app, await app.user('admin'), ['read']);
      const sessions = await sessionsOf(one.session);
      expect(sessions).toHaveLength(2);
      const mine = sessions.find(({ current }) => current)!;
      const other = sessions.find(({ current }) => !current)!;
      expect((await sessionsOf(one.bearer)).find(({ current }) => current)?.id).toBe(mine.id);

      const path = `/api/v1/sessions/${other.id}`;
      expect((await app.anonymous.get(path, stranger.bearer)).status).toBe(404);
      expect((await app.anonymous.delete(path, stranger.bearer)).status).toBe(404);
      expect((await app.anonymous.delete(path, one['api-key'])).status).toBe(403);
      expect((await app.anonymous.get(path, one.session)).body).toMatchObject({
        id: other.id,
        current: false,
      });
      const tag = (await app.anonymous.get(path, one.bearer)).headers.get('etag') ?? '';
      // The representation of the caller's own login differs by `current`, even in the same version.
      const own = await app.anonymous.get(path, { ...two.bearer, 'if-none-match': tag });
      expect([own.status, own.headers.get('etag')]).toEqual([200, expect.stringMatching(/-current"$/)]);
      expect((await app.anonymous.delete(path, one.session)).status).toBe(204);
      expect(await read(two.session)).toBe(401);
      expect(await read(one.session)).toBe(200);
      expect((await app.anonymous.get(path, one.session)).status).toBe(404);
    }));

  it('end with the logout', () =>
    beforeTheyEnd(async () => {
      const { session } = await headersOf(app, await app.user('viewer'), ['read']);
      expect((await app.anonymous.post('/api/v1/logout', undefined, session)).status).toBe(204);
      expect(await read(session)).toBe(401);
    }));

  it('end without ending access tokens, which nothing looks up until they expire', () =>
    beforeTheyEnd(async () => {
      const user = await app.user('viewer');
      const { session, bearer } = await headersOf(app, user, ['read']);
      expect((await app.anonymous.post('/api/v1/logout', undefined, session)).status).toBe(204);
      expect(await read(bearer)).toBe(200);
      expect((await app.anonymous.patch(`/api/v1/users/${user.id}`, { name: 'Ada' }, bearer)).status).toBe(
        200,
      );
    }));

  it('live as long as they are used, and expire when they are not', async () => {
    expect(await lives.get(store)).toEqual({ used: 200, unused: 401 });
  });

  it('end when the password or role of their user changes, except the session that changed the password', () =>
    beforeTheyEnd(async () => {
      const user = await app.user('viewer');
      const one = await headersOf(app, user, ['read']);
      const two = await headersOf(app, user, ['read']);
      const path = `/api/v1/users/${user.id}`;
      const own = { password: 'another password', currentPassword: user.password };
      expect((await app.anonymous.patch(path, own, one.session)).status).toBe(200);
      expect([await read(one.session), await read(two.session)]).toEqual([200, 401]);
      const admin = await app.as('admin');
      expect((await admin.patch(path, { role: 'editor' })).status).toBe(200);
      expect(await read(one.session)).toBe(401);
    }));
});
