import { FactoryProvider } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import type { Redis } from 'ioredis6';
import { LRUCache } from 'lru-cache';

import { accountTable } from '../accounts/account.entity.js';
import { Config } from '../config/config.js';
import { PRODUCT } from '../config/product.js';
import { BatchLoader } from '../database/batch-loader.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { Database } from '../database/database.js';
import { equalsAnySql } from '../database/entity-table.js';
import { ApiError } from '../http/errors/api-error.js';
import { RedisConnection } from '../redis/redis-connection.js';
import { CurrentLogin } from './logins.repository.js';
import { SESSION_STORE_UNAVAILABLE } from './session.errors.js';

/** A session that has not expired. */
export interface StoredSession {
  readonly loginId: number;
  /** The time until the session expires, in milliseconds. */
  readonly msLeft: number;
  /** The user and role of the login, if the store has read them in the same query. */
  readonly login?: CurrentLogin;
}

/** Stores sessions by the digests of their ids. A session is valid only while its login exists in PostgreSQL. */
export abstract class SessionStore {
  /** Stores a session that expires `ttlMs` from now. If the session is already stored, replaces its expiry. */
  abstract put(digest: string, loginId: number, ttlMs: number, db?: SqlExecutor): Promise<void>;

  abstract find(digest: string): Promise<StoredSession | undefined>;
}

/** Keeps sessions in the memory of this process. Other processes do not know them, and a restart ends them. */
export class MemorySessions extends SessionStore {
  /**
   * The ids of logins by the digests of sessions. If the cache is full, a new session removes the least recently used
   * one.
   */
  private readonly sessions = new LRUCache<string, number>({ max: 100_000 });

  async put(digest: string, loginId: number, ttl: number): Promise<void> {
    this.sessions.set(digest, loginId, { ttl });
  }

  async find(digest: string): Promise<StoredSession | undefined> {
    const loginId = this.sessions.get(digest);
    const msLeft = this.sessions.getRemainingTTL(digest);
    return loginId === undefined ? undefined : { loginId, msLeft };
  }
}

/** Keeps sessions in Redis, which all instances share. */
export class RedisSessions extends SessionStore {
  constructor(private readonly redis: RedisConnection) {
    super();
  }

  async put(digest: string, loginId: number, ttlMs: number): Promise<void> {
    await this.run((client) => client.set(redisKey(digest), loginId, 'PX', Math.ceil(ttlMs)));
  }

  async find(digest: string): Promise<StoredSession | undefined> {
    const key = redisKey(digest);
    const [loginId, msLeft] = await this.run((client) => Promise.all([client.get(key), client.pttl(key)]));
    return loginId === null || msLeft <= 0 ? undefined : { loginId: Number(loginId), msLeft };
  }

  private async run<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    try {
      return await this.redis.call(work);
    } catch (cause) {
      throw new ApiError(SESSION_STORE_UNAVAILABLE, SESSION_STORE_UNAVAILABLE.summary, { cause });
    }
  }
}

const redisKey = (digest: string): string => `${PRODUCT.redisPrefix}session:${digest}`;

/** Keeps sessions in PostgreSQL, which deletes a session together with its login. Concurrent look-ups share a query. */
export class DatabaseSessions extends SessionStore {
  private readonly users = accountTable(this.database.manager.dataSource);
  private readonly byDigest = new BatchLoader((digests: readonly string[]) => this.findAll(digests));

  constructor(private readonly database: Database) {
    super();
  }

  async put(digest: string, loginId: number, ttlMs: number, db: SqlExecutor = this.database): Promise<void> {
    const text = `
      insert into sessions (digest, login_id, expires_at)
      values ($1, $2, clock_timestamp() + $3::float8 * interval '1 millisecond')
      on conflict (digest) do update set expires_at = excluded.expires_at`;
    await db.query({ text, values: [Buffer.from(digest, 'hex'), loginId, ttlMs], name: 'session_put' });
  }

  find(digest: string): Promise<StoredSession | undefined> {
    return this.byDigest.load(digest);
  }

  private async findAll(digests: readonly string[]): Promise<Map<string, StoredSession>> {
    // `LoginsRepository.findAllCurrent` explains `offset 0`.
    const text = `
      select encode(sessions.digest, 'hex') as digest, sessions.login_id as "loginId",
        date_part('epoch', sessions.expires_at - clock_timestamp()) * 1000 as "msLeft",
        json_build_object('userId', users.id, 'role', users.role) as login
      from (
        select * from sessions
        where ${equalsAnySql('digest', '$1', 'bytea')} and expires_at > clock_timestamp() offset 0
      ) as sessions
      cross join lateral (select user_id from logins where id = login_id offset 0) as logins
      join ${this.users} as users on users.id = logins.user_id`;
    const values = [digests.map((digest) => Buffer.from(digest, 'hex'))];
    const statement = { text, values, name: 'sessions_find' };
    const rows = await this.database.accessReader.query<StoredSession & { digest: string }>(statement);
    return new Map(rows.map(({ digest, ...session }) => [digest, session]));
  }
}

export const sessionStoreProvider: FactoryProvider<SessionStore> = {
  provide: SessionStore,
  inject: [ConfigService, Database, { token: RedisConnection, optional: true }],
  useFactory: (config: ConfigService<Config, true>, database: Database, redis?: RedisConnection) => {
    const store = config.get('session.store', { infer: true });
    if (store === 'memory') return new MemorySessions();
    if (store === 'database') return new DatabaseSessions(database);
    if (!redis) throw new Error('SESSION_STORE=redis requires REDIS_URL');
    return new RedisSessions(redis);
  },
};
