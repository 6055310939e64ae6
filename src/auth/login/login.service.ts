import { Injectable } from '@nestjs/common';

import {
  AUTHENTICATION_REQUIRED,
  INVALID_CREDENTIALS,
  INVALID_TOKEN,
  TOKEN_EXPIRED,
} from '../../access/authentication.errors.js';
import { Principal } from '../../access/principal.js';
import { CookieAnswer } from '../../http/cookies.js';
import { ApiError } from '../../http/errors/api-error.js';
import { toUser } from '../../users/user.mapper.js';
import { PasswordCheck } from '../passwords/password-check.js';
import { ClientInfo } from '../sessions/logins.repository.js';
import { LoginsService } from '../sessions/logins.service.js';
import { AccessTokens } from '../tokens/access-tokens.js';
import { NO_COOKIES, refreshCookie, sessionCookie } from './login-cookies.js';
import { AccessTokenDto, LoginDto, LoginResultDto } from './login.dto.js';

/** The cookies of a request, by what they hold; more than one of a kind is a bad one. */
export interface LoginCookies {
  readonly sessionIds: readonly string[];
  readonly refreshTokens: readonly string[];
}

@Injectable()
export class LoginService {
  constructor(
    private readonly passwords: PasswordCheck,
    private readonly logins: LoginsService,
    private readonly tokens: AccessTokens,
  ) {}

  /**
   * @throws ApiError `INVALID_CREDENTIALS`, alike and after the same time for a wrong e-mail and a wrong password;
   *   `RATE_LIMIT_EXCEEDED` after too many of those
   */
  async login({ email, password, scheme }: LoginDto, client: ClientInfo): Promise<CookieAnswer> {
    const user = await this.passwords.prove(email, password, client.address);
    if (!user) throw new ApiError(INVALID_CREDENTIALS);
    const issue = { hasSession: scheme !== 'token', hasTokens: scheme !== 'session' };
    const login = await this.logins.begin(user, client, issue);
    // Changed while the password was proved: what it proved may hold no longer.
    if (!login) throw new ApiError(INVALID_CREDENTIALS);
    const { id, refreshToken, sessionId } = login;
    const cookies = [
      ...(refreshToken ? [refreshCookie(refreshToken, this.logins.refreshSeconds)] : []),
      ...(sessionId ? [sessionCookie(sessionId)] : []),
    ];
    const token = issue.hasTokens && this.accessToken(user, id);
    return new CookieAnswer(cookies, { ...token, user: toUser(user) } satisfies LoginResultDto);
  }

  /** @throws ApiError 401 without a refresh token, or with one that is void */
  async refresh(tokens: readonly string[]): Promise<CookieAnswer> {
    const [token, ...others] = tokens;
    if (token === undefined) {
      throw new ApiError(AUTHENTICATION_REQUIRED, 'The request carries no refresh_token cookie.');
    }
    const refreshed = others.length > 0 ? 'invalid' : await this.logins.refresh(token);
    if (refreshed === 'invalid') throw new ApiError(INVALID_TOKEN);
    if (refreshed === 'expired') throw new ApiError(TOKEN_EXPIRED);
    const { refreshToken, secondsLeft, loginId } = refreshed;
    return new CookieAnswer([refreshCookie(refreshToken, secondsLeft)], this.accessToken(refreshed, loginId));
  }

  /**
   * Ends the login that the caller's own credentials came from, and those of the cookies.
   *
   * @throws ApiError `SESSION_STORE_UNAVAILABLE` where it cannot be found out whose session a cookie is
   */
  async logout(cookies: LoginCookies, { loginId, scheme }: Principal): Promise<CookieAnswer> {
    if (loginId !== null) await this.logins.end(loginId);
    // The cookie that the caller was authenticated by is of the login that has just ended.
    await this.logins.endBy(scheme === 'session' ? { ...cookies, sessionIds: [] } : cookies);
    return new CookieAnswer(NO_COOKIES);
  }

  private accessToken(user: Parameters<AccessTokens['sign']>[0], loginId: number): AccessTokenDto {
    return { ...this.tokens.sign(user, loginId), tokenType: 'Bearer' };
  }
}
