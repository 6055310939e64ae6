import { hash, randomBytes } from 'node:crypto';

/** A session id, a refresh token, an API key or a token of a mail: 256 random bits in base64url, nothing embedded. */
export function newSecret() {
  const value = randomBytes(32).toString('base64url');
  return { value, digest: hash('sha256', value, 'hex') };
}

/** The SHA-256 of a secret in hex, which needs no salt; `null` for a text that has not the form of a secret. */
export function digestSecret(secret: string): string | null {
  return /^[A-Za-z0-9_-]{43}$/.test(secret) ? hash('sha256', secret, 'hex') : null;
}
