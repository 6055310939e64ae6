import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import {
  ApiError,
  Config,
  Database,
  INVALID_TOKEN,
  Principal,
  TOKEN_EXPIRED,
  writingUser,
} from '../../core/index.js';
import { AUTHENTICATION_REQUIRED, INVALID_CREDENTIALS } from '../../core/auth.js';
import { User } from '../../users/user.entity.js';
import { PasswordVerifier } from '../passwords/password-verifier.js';
import { digestOf, newSecret, refreshCookie, Secret, sessionCookie } from '../secrets.js';
import { ClientInfo, FAMILY_LIFE_SECONDS, LoginsRepository } from '../sessions/logins.repository.js';
import { SessionStore } from '../sessions/session-stores.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { AccessTokenDto, LoginDto, LoginResultDto } from './login.dto.js';

const CLEANUP_EVERY_MS = 60_000;

/** The credentials that a login issues: in the body of the response, and as `Set-Cookie` headers. */
export interface Issued<T> {
  readonly body: T;
  readonly cookies: readonly string[];
}

/** The life cycle of logins, each with its session and its refresh tokens, of which only digests are stored. */
@Injectable()
export class LoginService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly refreshSeconds: number;
  private readonly sessionTtlMs: number;
  private cleanup: NodeJS.Timeout | undefined;

  constructor(
    private readonly passwords: PasswordVerifier,
    private readonly logins: LoginsRepository,
    private readonly sessions: SessionStore,
    private readonly tokens: AccessTokens,
    private readonly database: Database,
    config: ConfigService<Config, true>,
  ) {
    const refreshSeconds = config.get('jwt.refreshTokenTtlSeconds', { infer: true });
    this.refreshSeconds = Math.min(refreshSeconds, FAMILY_LIFE_SECONDS);
    this.sessionTtlMs = config.get('session.ttlSeconds', { infer: true }) * 1000;
  }

  onApplicationBootstrap(): void {
    this.cleanup = setInterval(() => {
      // A run that fails is made up for by the next one.
      void this.logins.removeExpired().catch(() => undefined);
    }, CLEANUP_EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.cleanup);
  }

  /** Wrong e-mail and wrong password get the same response in the same time. */
  async login({ email, password, scheme }: LoginDto, client: ClientInfo): Promise<Issued<LoginResultDto>> {
    const user = await this.passwords.verify(email, password, client.address);
    const session = scheme === 'token' ? null : newSecret();
    const refresh = scheme === 'session' ? null : newSecret();
    const loginId = user && (await this.open(user, client, session, refresh));
    // Without a login, the user was changed while the password was verified: it may no longer be the right one.
    if (!loginId) throw new ApiError(INVALID_CREDENTIALS);
    await this.database.replicas?.wrote(writingUser(user.id));
    const cookies = [
      ...(refresh ? [refreshCookie(refresh.value, this.refreshSeconds)] : []),
      ...(session ? [sessionCookie(session.value)] : []),
    ];
    return { cookies, body: { ...(refresh && this.accessToken(user, loginId)), user } };
  }

  /** Exchanges an unused refresh token for a new one. A token that was used ends its whole family. */
  async refresh([token, ...others]: readonly string[]): Promise<Issued<AccessTokenDto>> {
    if (token === undefined)
      throw new ApiError(AUTHENTICATION_REQUIRED, 'The request carries no refresh_token cookie.');
    const digest = others.length > 0 ? null : digestOf(token);
    if (digest === null) throw new ApiError(INVALID_TOKEN);
    const next = newSecret();
    const refreshed = await this.logins.rotate(digest, next.digest, this.refreshSeconds);
    if (!refreshed) {
      const family = await this.logins.findFamily(digest);
      if (family?.isUsed) await this.logins.end(family.loginId);
      throw new ApiError(family?.isUsed === false ? TOKEN_EXPIRED : INVALID_TOKEN);
    }
    await this.database.replicas?.wrote(writingUser(refreshed.id));
    const cookies = [refreshCookie(next.value, refreshed.secondsLeft)];
    return { cookies, body: this.accessToken(refreshed, refreshed.loginId) };
  }

  /** Ends the login that the caller's credentials belong to, and those of the cookies. */
  async logout(
    sessionIds: readonly string[],
    refreshTokens: readonly string[],
    { loginId, scheme }: Principal,
  ): Promise<void> {
    if (loginId !== null) await this.logins.end(loginId);
    for (const digest of refreshTokens.map(digestOf)) {
      const family = digest && (await this.logins.findFamily(digest));
      if (family) await this.logins.end(family.loginId);
    }
    // A session cookie that authenticated the caller belongs to the login that has just ended.
    if (scheme === 'session') return;
    for (const digest of sessionIds.map(digestOf)) {
      const session = digest && (await this.sessions.find(digest));
      if (session) await this.logins.end(session.loginId);
    }
  }

  /** Opens a login; returns nothing if the user has changed since their password was verified. */
  private open(
    user: User,
    client: ClientInfo,
    session: Secret | null,
    refresh: Secret | null,
  ): Promise<number | undefined> {
    const { refreshSeconds, sessionTtlMs } = this;
    const ttlMs = Math.max(session ? sessionTtlMs : 0, refresh ? refreshSeconds * 1000 : 0);
    return this.database.transaction(async (tx) => {
      const login = { ...client, user, ttlMs, refreshToken: refresh?.digest ?? null, refreshSeconds };
      const loginId = await this.logins.open(login, tx);
      if (loginId && session) await this.sessions.put(session.digest, loginId, sessionTtlMs, tx);
      return loginId;
    });
  }

  private accessToken(user: Pick<User, 'id' | 'role'>, loginId: number): AccessTokenDto {
    return { ...this.tokens.sign(user, loginId), tokenType: 'Bearer' };
  }
}
