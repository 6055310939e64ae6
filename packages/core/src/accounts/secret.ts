import { hash, randomBytes } from 'node:crypto';

/**
 * Creates the secret of a session, a refresh token, an API key or a link in a mail: 256 random bits in base64url.
 * `digest` is the result of `digestSecret()` for this secret.
 */
export function newSecret() {
  const value = randomBytes(32).toString('base64url');
  return { value, digest: hash('sha256', value, 'hex') };
}

/**
 * Returns the SHA-256 of a secret in hex, or `null` if the text does not have the form of a secret. Unlike a password, 256
 * random bits need neither a salt nor a slow hash.
 */
export function digestSecret(secret: string): string | null {
  return /^[A-Za-z0-9_-]{43}$/.test(secret) ? hash('sha256', secret, 'hex') : null;
}
