import { Injectable } from '@nestjs/common';

import { Role } from '../../access/permissions.js';
import { Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { addressKey } from '../../http/rate-limit/address-key.js';
import { UserChanges } from '../../users/user-changes.service.js';
import { digestOf, newSecret } from '../secrets.js';
import { CurrentLogins } from './current-logins.js';
import {
  ClientInfo,
  FAMILY_LIFE_SECONDS,
  LoginsRepository,
  ProvedUser,
  Rotated,
} from './logins.repository.js';
import { SessionStore } from './session-store.js';

/** What a login may issue. */
export interface Issue {
  readonly hasSession: boolean;
  readonly hasTokens: boolean;
}

/** A login that has begun: the secrets are known to nobody else, and only their digests are stored. */
export interface BegunLogin {
  readonly id: number;
  readonly sessionId: string | null;
  readonly refreshToken: string | null;
}

export type Refreshed = Rotated & { readonly refreshToken: string };

/** Logins from their beginning to their end, with the session and the refresh tokens that each has. */
@Injectable()
export class LoginsService {
  private readonly refreshTtlSeconds: number;
  private readonly sessionTtlMs: number;

  constructor(
    private readonly logins: LoginsRepository,
    private readonly sessions: SessionStore,
    private readonly current: CurrentLogins,
    private readonly database: Database,
    changes: UserChanges,
    config: Config,
  ) {
    this.refreshTtlSeconds = Math.min(config.jwt.refreshTokenTtlSeconds, FAMILY_LIFE_SECONDS);
    this.sessionTtlMs = config.session.ttlSeconds * 1000;
    changes.onChange(async ({ userId, what, keepLoginId = null }, on) => {
      if (what === 'email') return undefined;
      const ended = await this.logins.endAllOf(userId, keepLoginId, on);
      return () => this.sessions.removeOf(ended);
    });
  }

  /** How long a new refresh token is good for. */
  get refreshSeconds(): number {
    return this.refreshTtlSeconds;
  }

  /** Begins a login with secrets of its own. `null`: the user was changed since their password was proved. */
  begin(
    user: ProvedUser & { readonly role: Role },
    client: ClientInfo,
    { hasSession, hasTokens }: Issue,
  ): Promise<BegunLogin | null> {
    const [sessionId, refreshToken] = [hasSession ? newSecret() : null, hasTokens ? newSecret() : null];
    const ttlMs = Math.max(hasSession ? this.sessionTtlMs : 0, hasTokens ? this.refreshTtlSeconds * 1000 : 0);
    return this.database.transaction(async (connection) => {
      const id = await this.logins.open(user, client, ttlMs, connection);
      if (id === null) return null;
      await this.logins.rememberAddress(user.id, addressKey(client.address), connection);
      if (refreshToken) {
        await this.logins.addRefreshToken(sound(refreshToken), id, this.refreshTtlSeconds, connection);
      }
      // Within the transaction, which holds the user: whoever ends all of a user's logins finds this one.
      if (sessionId) {
        const owner = { loginId: id, userId: user.id };
        await this.sessions.add(sound(sessionId), owner, this.sessionTtlMs, connection);
      }
      return { id, sessionId, refreshToken };
    });
  }

  /** Gives a new refresh token for one that was not used yet. One that was used ends its whole family. */
  async refresh(token: string): Promise<Refreshed | 'expired' | 'invalid'> {
    const digest = digestOf(token);
    if (!digest) return 'invalid';
    const refreshToken = newSecret();
    const rotated = await this.logins.rotate(digest, sound(refreshToken), this.refreshTtlSeconds);
    if (rotated) return { ...rotated, refreshToken };
    const family = await this.logins.findFamily(digest);
    if (!family) return 'invalid';
    if (!family.isUsed) return 'expired';
    await this.end(family.id);
    return 'invalid';
  }

  /**
   * Ends a login at once: its session and its refresh tokens. PostgreSQL decides, so a session store that is away
   * changes nothing; where PostgreSQL fails, it can be tried again.
   */
  async end(loginId: number): Promise<void> {
    await this.endingBy(loginId, () => this.logins.end(loginId));
  }

  /** Ends a login as `end` does, by a statement of the caller's that deletes it and tells of it. */
  async endingBy(loginId: number, end: () => Promise<void>): Promise<void> {
    try {
      await end();
    } finally {
      // After an error too: the connection may have been lost when the login had ended.
      this.current.forget(loginId);
    }
    await this.sessions.removeOf([loginId]);
  }

  /** Ends the logins that refresh tokens and session ids belong to. @throws ApiError `SESSION_STORE_UNAVAILABLE` */
  async endBy(secrets: {
    readonly sessionIds: readonly string[];
    readonly refreshTokens: readonly string[];
  }): Promise<void> {
    for (const digest of secrets.refreshTokens.map(digestOf)) {
      const family = digest && (await this.logins.findFamily(digest));
      if (family) await this.end(family.id);
    }
    // Last: what the store is needed for must not keep the rest from ending.
    for (const digest of secrets.sessionIds.map(digestOf)) {
      const session = digest && (await this.sessions.find(digest));
      if (session) await this.end(session.loginId);
    }
  }
}

/** The digest of a secret that was made here. */
const sound = (secret: string): string => digestOf(secret) as string;
