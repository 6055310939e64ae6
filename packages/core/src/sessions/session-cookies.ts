import { setCookie } from '../http/cookies.js';

/**
 * The name of the cookie with the id of a session. Use it to read the cookie in a scheme or a route.
 * @example singleCookie(headers.cookie, SESSION_COOKIE)
 */
export const SESSION_COOKIE = 'session_id';
/** The name of the cookie with a refresh token. Use it to read the cookie in the route that refreshes an access token. */
export const REFRESH_COOKIE = 'refresh_token';

export const sessionCookie = (sessionId: string): string =>
  setCookie(SESSION_COOKIE, sessionId, { sameSite: 'Lax' });

export const refreshCookie = (token: string, maxAgeSeconds: number): string =>
  setCookie(REFRESH_COOKIE, token, { sameSite: 'Strict', maxAgeSeconds });

/** The `Set-Cookie` headers that remove both cookies. Send them in the response to a logout. */
export const CLEARED_COOKIES = [
  refreshCookie('', 0),
  setCookie(SESSION_COOKIE, '', { sameSite: 'Lax', maxAgeSeconds: 0 }),
];
