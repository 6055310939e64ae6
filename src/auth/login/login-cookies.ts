import { clearCookie, setCookie } from '../../core/auth.js';

export const SESSION_COOKIE = 'session_id';
export const REFRESH_COOKIE = 'refresh_token';

export const sessionCookie = (sessionId: string): string =>
  setCookie(SESSION_COOKIE, sessionId, { sameSite: 'Lax' });

export const refreshCookie = (token: string, maxAgeSeconds: number): string =>
  setCookie(REFRESH_COOKIE, token, { sameSite: 'Strict', maxAgeSeconds });

/** The headers that clear both cookies. */
export const NO_COOKIES = [
  clearCookie(REFRESH_COOKIE, { sameSite: 'Strict' }),
  clearCookie(SESSION_COOKIE, { sameSite: 'Lax' }),
];
