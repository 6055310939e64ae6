import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { Config, Database, Role, writingUser } from '../../core/index.js';
import { addressKey } from '../../core/auth.js';
import { digestOf, newSecret } from '../secrets.js';
import {
  ClientInfo,
  FAMILY_LIFE_SECONDS,
  LoginsRepository,
  VerifiedUser,
  Rotated,
} from './logins.repository.js';
import { SessionStore } from './session-store.js';

/** The kinds of secrets that a login is given. */
export interface Issue {
  readonly hasSession: boolean;
  readonly hasTokens: boolean;
}

/** A new login with its secrets, of which only digests are stored. */
export interface BegunLogin {
  readonly id: number;
  readonly sessionId: string | null;
  readonly refreshToken: string | null;
}

export type Refreshed = Rotated & { readonly refreshToken: string };

/** The life cycle of logins, each with its session and its refresh tokens. */
@Injectable()
export class LoginsService {
  private readonly refreshTtlSeconds: number;
  private readonly sessionTtlMs: number;

  constructor(
    private readonly logins: LoginsRepository,
    private readonly sessions: SessionStore,
    private readonly database: Database,
    config: ConfigService<Config, true>,
  ) {
    this.refreshTtlSeconds = Math.min(
      config.get('jwt.refreshTokenTtlSeconds', { infer: true }),
      FAMILY_LIFE_SECONDS,
    );
    this.sessionTtlMs = config.get('session.ttlSeconds', { infer: true }) * 1000;
  }

  /** The lifetime of a new refresh token. */
  get refreshSeconds(): number {
    return this.refreshTtlSeconds;
  }

  /** Begins a login with new secrets; `null` if the user has changed since their password was verified. */
  async begin(
    user: VerifiedUser & { readonly role: Role },
    client: ClientInfo,
    { hasSession, hasTokens }: Issue,
  ): Promise<BegunLogin | null> {
    const [sessionId, refreshToken] = [hasSession ? newSecret() : null, hasTokens ? newSecret() : null];
    const ttlMs = Math.max(hasSession ? this.sessionTtlMs : 0, hasTokens ? this.refreshTtlSeconds * 1000 : 0);
    const begun = await this.database.transaction(async (connection) => {
      const id = await this.logins.open(user, client, ttlMs, connection);
      if (id === null) return null;
      await this.logins.rememberAddress(user.id, addressKey(client.address), connection);
      if (refreshToken) {
        await this.logins.addRefreshToken(digestOfNew(refreshToken), id, this.refreshTtlSeconds, connection);
      }
      // Within the transaction, which locks the user: a change that ends all logins of the user sees this one.
      if (sessionId) {
        const owner = { loginId: id, userId: user.id };
        await this.sessions.add(digestOfNew(sessionId), owner, this.sessionTtlMs, connection);
      }
      return { id, sessionId, refreshToken };
    });
    if (begun) await this.database.replicas?.wrote(writingUser(user.id));
    return begun;
  }

  /** Exchanges an unused refresh token for a new one. A token that was used ends its whole family. */
  async refresh(token: string): Promise<Refreshed | 'expired' | 'invalid'> {
    const digest = digestOf(token);
    if (!digest) return 'invalid';
    const refreshToken = newSecret();
    const rotated = await this.logins.rotate(digest, digestOfNew(refreshToken), this.refreshTtlSeconds);
    if (rotated) {
      await this.database.replicas?.wrote(writingUser(rotated.id));
      return { ...rotated, refreshToken };
    }
    const family = await this.logins.findFamily(digest);
    if (!family) return 'invalid';
    if (!family.isUsed) return 'expired';
    await this.end(family.id);
    return 'invalid';
  }

  /**
   * Ends a login: its session and its refresh tokens. Takes effect in PostgreSQL, whether or not the session store
   * responds; if PostgreSQL fails, it can be retried.
   */
  async end(loginId: number): Promise<void> {
    await this.logins.end(loginId);
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
    // Last, because it needs the session store: the rest ends without it.
    for (const digest of secrets.sessionIds.map(digestOf)) {
      const session = digest && (await this.sessions.find(digest));
      if (session) await this.end(session.loginId);
    }
  }
}

/** The digest of a secret from `newSecret()`. */
const digestOfNew = (secret: string): string => digestOf(secret) as string;
