import { hash, randomBytes } from 'node:crypto';

import { setCookie } from '../http/cookies.js';

/** The name of the cookie of a session. */
export const SESSION_COOKIE = 'session_id';
/** The name of the cookie of a refresh token. */
export const REFRESH_COOKIE = 'refresh_token';

/** A session id, a refresh token or an API key: 256 random bits in base64url, nothing embedded. */
export interface Secret {
  readonly value: string;
  /** As `digestOf` computes it. */
  readonly digest: string;
}

export function newSecret(): Secret {
  const value = randomBytes(32).toString('base64url');
  return { value, digest: hash('sha256', value, 'hex') };
}

/** The SHA-256 of a secret in hex, which needs no salt; `null` for a text that has not the form of a secret. */
export function digestOf(secret: string): string | null {
  return /^[A-Za-z0-9_-]{43}$/.test(secret) ? hash('sha256', secret, 'hex') : null;
}

export const sessionCookie = (sessionId: string): string =>
  setCookie(SESSION_COOKIE, sessionId, { sameSite: 'Lax' });

export const refreshCookie = (token: string, maxAgeSeconds: number): string =>
  setCookie(REFRESH_COOKIE, token, { sameSite: 'Strict', maxAgeSeconds });

/** The `Set-Cookie` headers that remove both cookies. */
export const NO_COOKIES = [
  setCookie(REFRESH_COOKIE, '', { sameSite: 'Strict', maxAgeSeconds: 0 }),
  setCookie(SESSION_COOKIE, '', { sameSite: 'Lax', maxAgeSeconds: 0 }),
];
