import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Session, SessionStore } from '../../src/auth/sessions/session-store.js';
import { DatabaseSessions } from '../../src/auth/sessions/stores/database-sessions.js';
import { MemorySessions } from '../../src/auth/sessions/stores/memory-sessions.js';
import { RedisSessions } from '../../src/auth/sessions/stores/redis-sessions.js';
import { Database } from '../../src/database/database.js';
import { RedisConnection } from '../../src/redis/redis-connection.js';
import { startApp, TestApp } from '../support/app.js';
import { describeWithRedis, startRedis, TestRedis } from '../support/redis.js';

const HOUR_MS = 3_600_000;
const newDigest = (): string => randomBytes(32).toString('hex');

describe('session stores', () => {
  let app: TestApp;
  let database: Database;

  beforeAll(async () => {
    app = await startApp({});
    database = app.app?.nest.get(Database, { strict: false }) as Database;
  });
  afterAll(() => app.stop());

  /** A login of a user, to which a session can belong. */
  async function login(userId?: number): Promise<Session> {
    const id = userId ?? (await app.user('editor')).id;
    const text = `insert into logins (user_id, expires_at) values ($1, now() + interval '1 day') returning id`;
    const [row] = await app.query<{ id: number }>(text, [id]);
    return { loginId: row!.id, userId: id, role: 'editor' };
  }

  describe('in memory', () => {
    behaves(() => new MemorySessions());

    it('F10 end in time though the wall clock is set back', async () => {
      const store = new MemorySessions();
      const digest = newDigest();
      await store.add(digest, { loginId: 1, userId: 1, role: 'editor' }, 50);
      const wallClock = jest.spyOn(Date, 'now').mockReturnValue(0);
      expect(await store.find(digest)).toMatchObject({ loginId: 1 });
      await sleep(60);
      expect(await store.find(digest)).toBeNull();
      wallClock.mockRestore();
    });
  });
  describe('in the database', () => {
    behaves(() => new DatabaseSessions(database));
  });
  describeWithRedis('in Redis', () => {
    let server: TestRedis;
    let connection: RedisConnection;
    beforeAll(async () => {
      server = await startRedis();
      connection = new RedisConnection(server.url);
      await connection.onApplicationBootstrap();
    });
    afterAll(async () => {
      connection.onModuleDestroy();
      await server.remove();
    });
    behaves(() => new RedisSessions(connection));

    it('says so where Redis is away, and works again when it is back', async () => {
      const store = new RedisSessions(connection);
      await server.kill();
      await expect(store.find(newDigest())).rejects.toMatchObject({
        type: { code: 'SESSION_STORE_UNAVAILABLE' },
      });
      await server.start();
      while (!connection.isReady) await sleep(20);
      await expect(store.find(newDigest())).resolves.toBeNull();
    });
  });

  function behaves(create: () => SessionStore): void {
    let store: SessionStore;
    beforeAll(() => {
      store = create();
    });

    it('finds what was added, and nothing else', async () => {
      const [digest, session] = [newDigest(), await login()];
      await store.add(digest, session, HOUR_MS, database);
      const { msLeft, ...found } = (await store.find(digest))!;
      expect(found).toEqual(session);
      expect(msLeft).toBeGreaterThan(HOUR_MS - 5_000);
      expect(msLeft).toBeLessThanOrEqual(HOUR_MS);
      expect(await store.find(newDigest())).toBeNull();
    });

    it('forgets what has expired, and cannot bring it back', async () => {
      const [digest, session] = [newDigest(), await login()];
      await store.add(digest, session, 40, database);
      await sleep(60);
      await store.extend(digest, session, HOUR_MS);
      expect(await store.find(digest)).toBeNull();
      await store.removeExpired();
      expect(await store.find(digest)).toBeNull();
    });

    it('lets a session live longer', async () => {
      const [digest, session] = [newDigest(), await login()];
      await store.add(digest, session, 10_000, database);
      await store.extend(digest, session, HOUR_MS);
      expect((await store.find(digest))?.msLeft).toBeGreaterThan(HOUR_MS - 5_000);
    });

    it('ends the session of one login', async () => {
      const [one, two] = [newDigest(), newDigest()];
      const session = await login();
      const other = await login(session.userId);
      await store.add(one, session, HOUR_MS, database);
      await store.add(two, other, HOUR_MS, database);
      await store.remove(session);
      expect(await store.find(one)).toBeNull();
      expect(await store.find(two)).not.toBeNull();
    });

    it('ends all sessions of a user, but for one where asked to, and of nobody else', async () => {
      const session = await login();
      const sessions = [session, await login(session.userId), await login()];
      const digests = sessions.map(newDigest);
      for (const [i, each] of sessions.entries()) await store.add(digests[i]!, each, HOUR_MS, database);
      const alive = async () => (await Promise.all(digests.map((digest) => store.find(digest)))).map(Boolean);
      await store.removeOfUser(session.userId, session.loginId, database);
      expect(await alive()).toEqual([true, false, true]);
      await store.removeOfUser(session.userId, null, database);
      expect(await alive()).toEqual([false, false, true]);
    });
  }
});
