import { Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import {
  AUTHENTICATION_REQUIRED,
  INVALID_CREDENTIALS,
  INVALID_TOKEN,
  TOKEN_EXPIRED,
} from '../access/access.errors.js';
import { Caller } from '../access/caller.js';
import { ATTRIBUTES, Attributes, AttributeValue, permissionsOf } from '../config/define-access.js';
import { Principal } from '../access/principal.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { assertKeyPermission, lockCaller } from '../accounts/current-role.js';
import { digestSecret, newSecret } from '../accounts/secret.js';
import { Config } from '../config/config.js';
import { removeRegularly } from '../database/remove-in-batches.js';
import { WritePreconditions } from '../http/caching/preconditions.js';
import { ApiError } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { ParsedListQuery } from '../lists/list-query.js';
import { mapRows, Page } from '../lists/page.js';
import { AccessTokens, IssuedToken } from './access-tokens.js';
import { Login } from './login.entity.js';
import { ClientInfo, FAMILY_TTL_SECONDS, LoginsRepository } from './logins.repository.js';
import { PasswordVerifier } from './password-verifier.js';
import { refreshCookie, sessionCookie } from './session-cookies.js';
import { SessionStore } from './session-stores.js';

const CLEANUP_EVERY_MS = 60_000;
/**
 * A session that is in use is extended after this share of its lifetime or after `EXTEND_AFTER_MS`, whichever is
 * earlier.
 */
const EXTEND_AFTER_SHARE = 0.1;
const EXTEND_AFTER_MS = 5 * 60_000;

/**
 * A login as `LoginsService` returns it. `current` is true for the login that the request itself uses.
 * `entityTagSuffix` makes the `ETag` depend on `current`.
 */
export type ListedLogin = Login & { readonly current: boolean; readonly entityTagSuffix: string };

/**
 * Logs users in and out, and manages their logins. A login has a session, refresh tokens, or both. Only the digests of
 * session ids and refresh tokens are stored. Users see only their own logins.
 * @example const { body, cookies } = await this.logins.login(credentials, { address, userAgent });
 */
@Injectable()
export class LoginsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly refreshSeconds = Math.min(
    this.config.get('jwt.refreshTokenTtlSeconds', { infer: true }),
    FAMILY_TTL_SECONDS,
  );
  private readonly sessionTtlMs = this.config.get('session.ttlSeconds', { infer: true }) * 1000;
  private readonly extending = new Set<string>();
  private cleanup: NodeJS.Timeout | undefined;

  constructor(
    private readonly passwords: PasswordVerifier,
    private readonly logins: LoginsRepository,
    private readonly sessions: SessionStore,
    private readonly tokens: AccessTokens,
    private readonly config: ConfigService<Config, true>,
  ) {}

  onApplicationBootstrap(): void {
    this.cleanup = removeRegularly(() => this.logins.removeExpired(), CLEANUP_EVERY_MS);
  }

  onModuleDestroy(): void {
    clearInterval(this.cleanup);
  }

  /**
   * Logs a user in. Without `scheme`, the login has both refresh tokens and a session. A wrong e-mail and a wrong
   * password get the same response after the same time.
   * @throws ApiError `INVALID_CREDENTIALS` or `RATE_LIMIT_EXCEEDED`
   */
  async login(
    { email, password, scheme }: { email: string; password: string; scheme?: 'token' | 'session' },
    client: ClientInfo,
  ): Promise<{ body: { user: AccountEntity } & Partial<IssuedToken>; cookies: string[] }> {
    const user = await this.passwords.verify(email, password, client.address);
    if (!user) throw new ApiError(INVALID_CREDENTIALS);
    const session = scheme === 'token' ? null : newSecret();
    const refresh = scheme === 'session' ? null : newSecret();
    const { refreshSeconds, sessionTtlMs } = this;
    const ttlMs = Math.max(session ? sessionTtlMs : 0, refresh ? refreshSeconds * 1000 : 0);
    const token = { digest: refresh?.digest ?? null, seconds: refreshSeconds };
    const loginId = await this.logins.transaction(async (tx) => {
      const id = await this.logins.open(user, client, ttlMs, token, tx);
      if (id && session) await this.sessions.put(session.digest, id, sessionTtlMs, tx);
      return id;
    });
    // If the user was changed while the password was verified, the password may no longer be right.
    if (!loginId) throw new ApiError(INVALID_CREDENTIALS);
    await this.logins.readFromPrimary(user.id);
    const cookies = [
      ...(refresh ? [refreshCookie(refresh.value, refreshSeconds)] : []),
      ...(session ? [sessionCookie(session.value)] : []),
    ];
    return {
      cookies,
      body: { ...(refresh && this.tokens.sign(toTokenUser(user), loginId)), user },
    };
  }

  /**
   * Exchanges an unused refresh token for a new one. If a token is sent a second time, it may be stolen, so its login
   * ends (RFC 9700 §4.14.2).
   *
   * There is one exception. If the token was exchanged in the last ten seconds, another tab of the same browser
   * probably exchanged it. In this case, the login continues. The 401 response does not clear the cookie, because the
   * cookie may already contain the new token of the other tab. For all other invalid tokens, the 401 response clears
   * the cookie.
   * @throws ApiError `AUTHENTICATION_REQUIRED`, `INVALID_TOKEN` or `TOKEN_EXPIRED`
   */
  async refresh([token, ...others]: readonly string[]): Promise<{ body: IssuedToken; cookies: string[] }> {
    if (token === undefined)
      throw new ApiError(AUTHENTICATION_REQUIRED, 'The request carries no refresh_token cookie.');
    const digest = others.length > 0 ? null : digestSecret(token);
    if (digest === null) throw invalidRefreshToken(INVALID_TOKEN);
    const next = newSecret();
    const refreshed = await this.logins.rotate(digest, next.digest, this.refreshSeconds);
    if (!refreshed) {
      const family = await this.logins.findFamily(digest);
      if (family?.state === 'justUsed')
        throw new ApiError(INVALID_TOKEN, 'The refresh token was just exchanged. Use the new one.');
      if (family?.state === 'used') await this.logins.end(family.loginId);
      throw invalidRefreshToken(family?.state === 'unused' ? TOKEN_EXPIRED : INVALID_TOKEN);
    }
    await this.logins.readFromPrimary(refreshed.userId);
    const cookies = [refreshCookie(next.value, refreshed.secondsLeft)];
    return { cookies, body: this.tokens.sign(refreshed, refreshed.loginId) };
  }

  /**
   * Ends the logins of the given session ids and refresh tokens, and the login of `by`. Ignores unknown values.
   * @param by an access token, which may have expired, or the caller of a route that requires authentication
   */
  async logout(
    sessionIds: readonly string[],
    refreshTokens: readonly string[],
    by: string | Principal | null,
  ): Promise<void> {
    const loginId = typeof by === 'string' ? this.tokens.findLoginId(by) : (by?.loginId ?? null);
    if (loginId !== null) await this.logins.end(loginId);
    for (const digest of refreshTokens.map(digestSecret)) {
      const family = digest && (await this.logins.findFamily(digest));
      if (family) await this.logins.end(family.loginId);
    }
    for (const digest of sessionIds.map(digestSecret)) {
      const session = digest && (await this.sessions.find(digest));
      if (session) await this.logins.end(session.loginId);
    }
  }

  /**
   * Returns the caller of a session id, or `null` for an unknown session. If the session was not extended for some
   * time, this method extends it.
   */
  async authenticate(sessionId: string): Promise<Principal | null> {
    const digest = digestSecret(sessionId);
    const session = digest === null ? undefined : await this.sessions.find(digest);
    const login = session && (session.login ?? (await this.logins.currentLogins.load(session.loginId)));
    if (!digest || !login) return null;
    const { loginId, msLeft } = session;
    if (this.sessionTtlMs - msLeft >= Math.min(this.sessionTtlMs * EXTEND_AFTER_SHARE, EXTEND_AFTER_MS))
      void this.extend(digest, loginId);
    const { userId, role } = login;
    const permissions = permissionsOf(role);
    return { kind: 'user', userId, keyId: null, loginId, role, permissions, scheme: 'session' };
  }

  async list(query: ParsedListQuery, caller: Caller): Promise<Page<ListedLogin>> {
    return mapRows(await this.logins.list(query), (login) => toListedLogin(caller, login));
  }

  async get(id: number, caller: Caller): Promise<ListedLogin> {
    const login = await this.logins.get({ id, userId: caller.userId }, caller.scope);
    await this.logins.assertUnexpired(id);
    return toListedLogin(caller, login);
  }

  async remove(id: number, caller: Caller, preconditions: WritePreconditions): Promise<void> {
    const { principal, userId, scope } = caller;
    await this.logins.transaction(async (tx) => {
      // The lock is exclusive. If two logins of one user end each other at the same time, one request waits for the
      // other. With shared locks, the two could deadlock.
      assertKeyPermission(await lockCaller(principal, tx, 'exclusive'), 'delete');
      await this.logins.lock({ id, userId }, scope, tx);
      await this.logins.assertUnexpired(id, tx);
      await this.logins.remove(id, scope, preconditions, tx);
    });
  }

  /**
   * Extends a session in the background, so that it does not delay the request. If it fails, the next request with the
   * session tries again.
   */
  private async extend(digest: string, loginId: number): Promise<void> {
    if (this.extending.has(digest)) return;
    this.extending.add(digest);
    try {
      await this.sessions.put(digest, loginId, this.sessionTtlMs);
      await this.logins.touch(loginId, this.sessionTtlMs);
    } catch {
      // Ignore the error: the session is still valid, and most of its lifetime remains.
    } finally {
      this.extending.delete(digest);
    }
  }
}

const invalidRefreshToken = (type: ErrorType): ApiError =>
  new ApiError(type, type.summary, { headers: { 'set-cookie': refreshCookie('', 0) } });

function toListedLogin({ principal }: Caller, login: Login): ListedLogin {
  const current = login.id === principal.loginId;
  return { ...login, current, entityTagSuffix: current ? '-current' : '' };
}

/** Returns the values of a user that an access token contains. */
function toTokenUser(user: AccountEntity): Parameters<AccessTokens['sign']>[0] {
  const { id: userId, role } = user;
  const values = user as object as Readonly<Record<string, AttributeValue>>;
  const attributes = Object.fromEntries(ATTRIBUTES.map((name) => [name, values[name] ?? null])) as Attributes;
  return { userId, role, ...(ATTRIBUTES.length > 0 && { attributes }) };
}
