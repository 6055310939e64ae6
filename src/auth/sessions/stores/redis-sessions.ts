import type { Redis } from 'ioredis';

import { ApiError } from '../../../core/index.js';
import { PRODUCT, RedisConnection } from '../../../core/auth.js';
import { SESSION_STORE_UNAVAILABLE } from '../../auth.errors.js';
import { KeptSession, SessionKeeper, SessionOwner } from '../session-store.js';

const sessionKey = (digest: string): string => `${PRODUCT.redisPrefix}session:${digest}`;
/** Holds the digest of a login's session, so that it can be removed. */
const loginKey = (loginId: number): string => `${PRODUCT.redisPrefix}session-of-login:${loginId}`;

/**
 * Sessions in Redis, which expire there by themselves. Throws `SESSION_STORE_UNAVAILABLE` if Redis does not respond.
 */
export class RedisSessions implements SessionKeeper {
  constructor(private readonly redis: RedisConnection) {}

  async add(digest: string, { loginId, userId }: SessionOwner, ttlMs: number): Promise<void> {
    const ms = Math.ceil(ttlMs);
    await this.run((client) =>
      Promise.all([
        client.set(sessionKey(digest), JSON.stringify({ loginId, userId }), 'PX', ms),
        client.set(loginKey(loginId), digest, 'PX', ms),
      ]),
    );
  }

  async find(digest: string): Promise<KeptSession | null> {
    const key = sessionKey(digest);
    const [text, msLeft] = await this.run((client) => Promise.all([client.get(key), client.pttl(key)]));
    return text === null || msLeft <= 0 ? null : { ...(JSON.parse(text) as SessionOwner), msLeft };
  }

  async extend(digest: string, { loginId }: SessionOwner, ttlMs: number): Promise<void> {
    const ms = Math.ceil(ttlMs);
    await this.run((client) =>
      Promise.all([client.pexpire(sessionKey(digest), ms), client.pexpire(loginKey(loginId), ms)]),
    );
  }

  async removeOf(loginIds: readonly number[]): Promise<void> {
    if (loginIds.length === 0) return;
    await this.run(async (client) => {
      const ofLogins = loginIds.map(loginKey);
      const digests = (await client.mget(ofLogins)).filter((digest) => digest !== null);
      await client.del(...digests.map(sessionKey), ...ofLogins);
    });
  }

  /** Redis does this itself. */
  async removeExpired(): Promise<void> {
    return Promise.resolve();
  }

  private async run<T>(work: (client: Redis) => Promise<T>): Promise<T> {
    try {
      return await this.redis.call(work);
    } catch (error) {
      const headers = { 'retry-after': '1' };
      throw new ApiError(SESSION_STORE_UNAVAILABLE, SESSION_STORE_UNAVAILABLE.summary, {
        cause: error,
        headers,
      });
    }
  }
}
