import { hash, randomBytes } from 'node:crypto';

import { clearCookie, setCookie } from '../core/auth.js';

export const SESSION_COOKIE = 'session_id';
export const REFRESH_COOKIE = 'refresh_token';

/** Session ids, refresh tokens and API keys: 256 random bits in base64url, nothing embedded. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * The SHA-256 of a secret in hex, which is stored in its place. It needs no salt: all of the secret is random.
 *
 * @returns `null` if the text does not have the form of a secret
 */
export function digestOf(secret: string): string | null {
  return SECRET.test(secret) ? hash('sha256', secret, 'hex') : null;
}

export const sessionCookie = (sessionId: string): string =>
  setCookie(SESSION_COOKIE, sessionId, { sameSite: 'Lax' });

export const refreshCookie = (token: string, maxAgeSeconds: number): string =>
  setCookie(REFRESH_COOKIE, token, { sameSite: 'Strict', maxAgeSeconds });

/** The headers that clear both cookies. */
export const NO_COOKIES = [
  clearCookie(REFRESH_COOKIE, { sameSite: 'Strict' }),
  clearCookie(SESSION_COOKIE, { sameSite: 'Lax' }),
];
