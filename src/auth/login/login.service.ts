import { Injectable } from '@nestjs/common';

import { ApiError, INVALID_TOKEN, Principal, TOKEN_EXPIRED } from '../../core/index.js';
import { AUTHENTICATION_REQUIRED, INVALID_CREDENTIALS } from '../../core/auth.js';
import { PasswordVerifier } from '../passwords/password-verifier.js';
import { ClientInfo } from '../sessions/logins.repository.js';
import { LoginsService } from '../sessions/logins.service.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { refreshCookie, sessionCookie } from './login-cookies.js';
import { AccessTokenDto, LoginDto, LoginResultDto } from './login.dto.js';

/** The values of the login cookies of a request. A cookie that is sent twice is invalid. */
export interface LoginCookies {
  readonly sessionIds: readonly string[];
  readonly refreshTokens: readonly string[];
}

/** The credentials that a login issues: in the body of the response, and as `Set-Cookie` headers. */
export interface Issued<T> {
  readonly body: T;
  readonly cookies: readonly string[];
}

@Injectable()
export class LoginService {
  constructor(
    private readonly passwords: PasswordVerifier,
    private readonly logins: LoginsService,
    private readonly tokens: AccessTokens,
  ) {}

  /**
   * @throws ApiError `INVALID_CREDENTIALS`, with the same response in the same time for a wrong e-mail and a wrong
   *   password; `RATE_LIMIT_EXCEEDED` after too many failures
   */
  async login({ email, password, scheme }: LoginDto, client: ClientInfo): Promise<Issued<LoginResultDto>> {
    const user = await this.passwords.verify(email, password, client.address);
    if (!user) throw new ApiError(INVALID_CREDENTIALS);
    const issue = { hasSession: scheme !== 'token', hasTokens: scheme !== 'session' };
    const login = await this.logins.begin(user, client, issue);
    // The user was changed while the password was verified; it may no longer be the right one.
    if (!login) throw new ApiError(INVALID_CREDENTIALS);
    const { id, refreshToken, sessionId } = login;
    const cookies = [
      ...(refreshToken ? [refreshCookie(refreshToken, this.logins.refreshSeconds)] : []),
      ...(sessionId ? [sessionCookie(sessionId)] : []),
    ];
    const token = issue.hasTokens && this.accessToken(user, id);
    return { cookies, body: { ...token, user } };
  }

  /** @throws ApiError 401 for a missing, invalid, used or expired refresh token */
  async refresh(tokens: readonly string[]): Promise<Issued<AccessTokenDto>> {
    const [token, ...others] = tokens;
    if (token === undefined) {
      throw new ApiError(AUTHENTICATION_REQUIRED, 'The request carries no refresh_token cookie.');
    }
    const refreshed = others.length > 0 ? 'invalid' : await this.logins.refresh(token);
    if (refreshed === 'invalid') throw new ApiError(INVALID_TOKEN);
    if (refreshed === 'expired') throw new ApiError(TOKEN_EXPIRED);
    const { refreshToken, secondsLeft, loginId } = refreshed;
    return {
      cookies: [refreshCookie(refreshToken, secondsLeft)],
      body: this.accessToken(refreshed, loginId),
    };
  }

  /**
   * Ends the login that the caller's credentials belong to, and those of the cookies.
   *
   * @throws ApiError `SESSION_STORE_UNAVAILABLE` if a session cookie cannot be looked up; the rest has ended by then
   */
  async logout(cookies: LoginCookies, { loginId, scheme }: Principal): Promise<void> {
    if (loginId !== null) await this.logins.end(loginId);
    // A session cookie that authenticated the caller belongs to the login that has just ended.
    await this.logins.endBy(scheme === 'session' ? { ...cookies, sessionIds: [] } : cookies);
  }

  private accessToken(user: Parameters<AccessTokens['sign']>[0], loginId: number): AccessTokenDto {
    return { ...this.tokens.sign(user, loginId), tokenType: 'Bearer' };
  }
}
