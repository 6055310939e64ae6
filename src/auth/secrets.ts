import { createHash, randomBytes } from 'node:crypto';

/** Session ids, refresh tokens and API keys: 256 random bits in base64url, nothing embedded. */
const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * What is stored of a secret, in hex: its SHA-256, from which it cannot be guessed, since all of it is random.
 * `null` where the text is no secret of ours.
 */
export function digestOf(secret: string): string | null {
  return SECRET.test(secret) ? createHash('sha256').update(secret).digest('hex') : null;
}
