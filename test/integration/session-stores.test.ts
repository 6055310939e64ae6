import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { LoginsRepository } from '../../src/auth/sessions/logins.repository.js';
import { SessionOwner, SessionStore } from '../../src/auth/sessions/session-store.js';
import { CheckedSessions } from '../../src/auth/sessions/stores/checked-sessions.js';
import { DatabaseSessions } from '../../src/auth/sessions/stores/database-sessions.js';
import { MemorySessions } from '../../src/auth/sessions/stores/memory-sessions.js';
import { RedisSessions } from '../../src/auth/sessions/stores/redis-sessions.js';
import { Database } from '../../src/core/database/database.js';
import { RedisConnection } from '../../src/core/redis/redis-connection.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { describeWithRedis, startRedis, TestRedis } from '../support/redis.js';

const HOUR_MS = 3_600_000;
const newDigest = (): string => randomBytes(32).toString('hex');

describe('session stores', () => {
  let app: OwnApp;
  let database: Database;
  let logins: LoginsRepository;

  beforeAll(async () => {
    app = await startInProcess();
    database = app.app.nest.get(Database, { strict: false });
    logins = app.app.nest.get(LoginsRepository, { strict: false });
  });
  afterAll(() => app.stop());

  /** A login of a user, to which a session can belong. */
  async function login(userId?: number): Promise<SessionOwner> {
    const id = userId ?? (await app.user('editor')).id;
    const text = `insert into logins (user_id, expires_at) values ($1, now() + interval '1 day') returning id`;
    const [row] = await app.query<{ id: number }>(text, [id]);
    return { loginId: row!.id, userId: id };
  }

  describe('in memory', () => {
    behaves(() => new CheckedSessions(new MemorySessions(), logins));

    it('end in time though the wall clock is set back', async () => {
      const store = new MemorySessions();
      const [brief, long] = [newDigest(), newDigest()];
      await store.add(brief, { loginId: 1, userId: 1 }, 50);
      await store.add(long, { loginId: 2, userId: 1 }, HOUR_MS);
      const wallClock = jest.spyOn(Date, 'now').mockReturnValue(0);
      await sleep(60);
      expect(await store.find(brief)).toBeNull();
      expect(await store.find(long)).toMatchObject({ loginId: 2 });
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
    behaves(() => new CheckedSessions(new RedisSessions(connection), logins));

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
      expect(found).toEqual({ ...session, role: 'editor' });
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

    it('removes the sessions of logins that have ended, and of no others', async () => {
      const session = await login();
      const sessions = [session, await login(session.userId), await login()];
      const digests = sessions.map(newDigest);
      for (const [i, each] of sessions.entries()) await store.add(digests[i]!, each, HOUR_MS, database);
      const alive = async () => (await Promise.all(digests.map((digest) => store.find(digest)))).map(Boolean);
      const ended = [sessions[1]!.loginId, sessions[2]!.loginId];
      await app.query('delete from logins where id = any($1)', [ended]);
      await store.removeOf(ended);
      expect(await alive()).toEqual([true, false, false]);
      await store.removeOf([]);
      expect(await alive()).toEqual([true, false, false]);
    });

    it('a session ends with its login, though the store is not told', async () => {
      const [digest, session] = [newDigest(), await login()];
      await store.add(digest, session, HOUR_MS, database);
      expect(await store.find(digest)).not.toBeNull();
      await app.query('delete from logins where id = $1', [session.loginId]);
      expect(await store.find(digest)).toBeNull();
      await store.extend(digest, session, HOUR_MS);
      expect(await store.find(digest)).toBeNull();
    });

    it('a session that was stored for a login that never came about is none', async () => {
      const digest = newDigest();
      const { userId } = await login();
      // In PostgreSQL the foreign key refuses it.
      await store.add(digest, { loginId: 2_000_000_000, userId }, HOUR_MS, database).catch(() => undefined);
      expect(await store.find(digest)).toBeNull();
    });
  }
});
