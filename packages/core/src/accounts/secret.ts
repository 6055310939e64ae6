import { hash, randomBytes } from 'node:crypto';

/** A session id, a refresh token, an API key or a token of a mail: 256 random bits in base64url, nothing embedded. */
export function newSecret() {
  const value = randomBytes(32).toString('base64url');
  return { value, digest: digestOf(value) };
}

/** The SHA-256 of a secret in hex: what is as random needs no salt. */
export const digestOf = (secret: string): string => hash('sha256', secret, 'hex');
