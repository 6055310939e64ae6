import { setCookie } from '../http/cookies.js';

/** The name of the cookie of a session. */
export const SESSION_COOKIE = 'session_id';
/** The name of the cookie of a refresh token. */
export const REFRESH_COOKIE = 'refresh_token';

export const sessionCookie = (sessionId: string): string =>
  setCookie(SESSION_COOKIE, sessionId, { sameSite: 'Lax' });

export const refreshCookie = (token: string, maxAgeSeconds: number): string =>
  setCookie(REFRESH_COOKIE, token, { sameSite: 'Strict', maxAgeSeconds });

/** The `Set-Cookie` headers that remove both cookies. */
export const CLEARED_COOKIES = [
  refreshCookie('', 0),
  setCookie(SESSION_COOKIE, '', { sameSite: 'Lax', maxAgeSeconds: 0 }),
];
