import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  DatabaseSessions,
  MemorySessions,
  RedisSessions,
  SessionStore,
} from '../../packages/core/src/sessions/session-stores.js';
import { LoginsRepository } from '../../packages/core/src/sessions/logins.repository.js';
import { Database } from '../../packages/core/src/database/database.js';
import { RedisConnection } from '../../packages/core/src/redis/redis-connection.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { describeWithRedis, startRedis, TestRedis } from '../support/redis.js';

const HOUR_MS = 3_600_000;
const newDigest = (): string => randomBytes(32).toString('hex');

describe('session stores', () => {
  let app: OwnApp;
  let database: Database;

  beforeAll(async () => {
    app = await startInProcess();
    database = app.app.nest.get(Database, { strict: false });
  });
  afterAll(() => app.stop());

  /** A login of a user, to which a session can belong. */
  async function login(): Promise<number> {
    const { id } = await app.user('editor');
    const text = `insert into logins (user_id, expires_at) values ($1, now() + interval '1 day') returning id`;
    const [row] = await app.query<{ id: number }>(text, [id]);
    return row!.id;
  }

  it('are removed with their logins once these have expired, however many', async () => {
    const { id } = await app.user('editor');
    const text = `insert into logins (user_id, expires_at) select $1, now() from generate_series(1, 1500)`;
    await app.query(text, [id]);
    const old = `insert into login_addresses (user_id, address, last_seen_at)
      select $1, i::text, now() - interval '91 days' from generate_series(1, 1500) as i`;
    await app.query(old, [id]);
    await app.app.nest.get(LoginsRepository, { strict: false }).removeExpired();
    for (const table of ['logins', 'login_addresses'])
      expect(await app.query(`select 1 from ${table} where user_id = $1`, [id])).toEqual([]);
  });

  describe('in memory', () => {
    behaves(() => new MemorySessions());

    it('end in time though the wall clock is set back', async () => {
      const store = new MemorySessions();
      const digest = newDigest();
      await store.put(digest, 1, 50);
      const wallClock = jest.spyOn(Date, 'now').mockReturnValue(0);
      await sleep(60);
      expect(await store.find(digest)).toBeUndefined();
      wallClock.mockRestore();
    });
  });

  describe('in the database', () => {
    behaves(() => new DatabaseSessions(database));

    it('end with their logins, which they cannot outlive', async () => {
      const store = new DatabaseSessions(database);
      const [digest, loginId] = [newDigest(), await login()];
      await store.put(digest, loginId, HOUR_MS);
      await app.query('delete from logins where id = $1', [loginId]);
      expect(await store.find(digest)).toBeUndefined();
      await expect(store.put(digest, loginId, HOUR_MS)).rejects.toThrow();
      expect(await store.find(digest)).toBeUndefined();
    });
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
      await expect(store.find(newDigest())).resolves.toBeUndefined();
    });
  });

  function behaves(create: () => SessionStore): void {
    let store: SessionStore;
    beforeAll(() => {
      store = create();
    });

    it('finds what was stored, and nothing else', async () => {
      const [digest, loginId] = [newDigest(), await login()];
      await store.put(digest, loginId, HOUR_MS);
      const { msLeft, ...found } = (await store.find(digest))!;
      expect(found).toMatchObject({ loginId });
      expect(msLeft).toBeGreaterThan(HOUR_MS - 5_000);
      expect(msLeft).toBeLessThanOrEqual(HOUR_MS);
      expect(await store.find(newDigest())).toBeUndefined();
    });

    it('forgets what has expired', async () => {
      const [digest, loginId] = [newDigest(), await login()];
      await store.put(digest, loginId, 40);
      await sleep(60);
      expect(await store.find(digest)).toBeUndefined();
    });

    it('lets a session live longer', async () => {
      const [digest, loginId] = [newDigest(), await login()];
      await store.put(digest, loginId, 10_000);
      await store.put(digest, loginId, HOUR_MS);
      expect((await store.find(digest))?.msLeft).toBeGreaterThan(HOUR_MS - 5_000);
    });
  }
});
