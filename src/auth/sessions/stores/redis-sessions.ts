import { ApiError } from '../../../http/errors/api-error.js';
import { RedisConnection } from '../../../redis/redis-connection.js';
import { SESSION_STORE_UNAVAILABLE } from '../../auth.errors.js';
import { FoundSession, Session, SessionStore } from '../session-store.js';

const sessionKey = (digest: string): string => `plinth:session:${digest}`;
/** The digests of a user's sessions with their logins, scored by their expiry: what is ended together. */
const userKey = (userId: number): string => `plinth:sessions-of:${userId}`;

/** Sessions in Redis, which expire there by themselves. */
export class RedisSessions extends SessionStore {
  constructor(private readonly redis: RedisConnection) {
    super();
  }

  async add(digest: string, session: Session, ttlMs: number): Promise<void> {
    const { loginId, userId, role } = session;
    await this.run(async ({ client }) => {
      await client.set(sessionKey(digest), JSON.stringify({ loginId, userId, role }), 'PX', Math.ceil(ttlMs));
      await this.index(digest, session, ttlMs);
      await client.zremrangebyscore(userKey(userId), '-inf', Date.now());
    });
  }

  async find(digest: string): Promise<FoundSession | null> {
    const key = sessionKey(digest);
    const [text, msLeft] = await this.run(({ client }) => Promise.all([client.get(key), client.pttl(key)]));
    return text === null || msLeft <= 0 ? null : { ...(JSON.parse(text) as Session), msLeft };
  }

  async extend(digest: string, session: Session, ttlMs: number): Promise<void> {
    await this.run(async ({ client }) => {
      const isThere = await client.pexpire(sessionKey(digest), Math.ceil(ttlMs));
      if (isThere === 1) await this.index(digest, session, ttlMs);
    });
  }

  async remove({ loginId, userId }: Pick<Session, 'loginId' | 'userId'>): Promise<void> {
    await this.removeWhere(userId, (id) => id === loginId);
  }

  async removeOfUser(userId: number, exceptLoginId: number | null): Promise<void> {
    await this.removeWhere(userId, (id) => id !== exceptLoginId);
  }

  /** Redis does so itself. */
  async removeExpired(): Promise<void> {
    return Promise.resolve();
  }

  private async index(digest: string, { loginId, userId }: Session, ttlMs: number): Promise<void> {
    const key = userKey(userId);
    await this.redis.client.zadd(key, Date.now() + ttlMs, `${loginId}:${digest}`);
    // The life of a session is the same for all: the latest one's is the longest.
    await this.redis.client.pexpire(key, Math.ceil(ttlMs));
  }

  private async removeWhere(userId: number, isOver: (loginId: number) => boolean): Promise<void> {
    await this.run(async ({ client }) => {
      const key = userKey(userId);
      for (const member of await client.zrange(key, 0, -1)) {
        const [loginId = '', digest = ''] = member.split(':');
        if (!isOver(Number(loginId))) continue;
        await client.del(sessionKey(digest));
        await client.zrem(key, member);
      }
    });
  }

  /** @throws ApiError `SESSION_STORE_UNAVAILABLE` where Redis does not do it */
  private async run<T>(work: (redis: RedisConnection) => Promise<T>): Promise<T> {
    try {
      return await work(this.redis);
    } catch (error) {
      const headers = { 'retry-after': '1' };
      throw new ApiError(SESSION_STORE_UNAVAILABLE, SESSION_STORE_UNAVAILABLE.summary, {
        cause: error,
        headers,
      });
    }
  }
}
