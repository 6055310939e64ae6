import { envelopeOf } from './errors.js';
import type { Call } from './types.js';

const BASE_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** Waits that the server asks for get up to this much on top, so that clients do not come back all at once. */
const JITTER_MS = 500;

const IDEMPOTENCY_KEY = 'Idempotency-Key';

/**
 * Whether a request can be sent again although it may have been carried out: it only reads, or has a key by which the
 * server recognizes it.
 */
export function isRepeatable({ method, headers }: Call): boolean {
  return method === 'GET' || method === 'HEAD' || headers?.[IDEMPOTENCY_KEY] !== undefined;
}

/** Whether a response asks for another attempt. */
export function asksForRetry(call: Call, status: number, text: string, attempt: number): boolean {
  // Refused before anything ran.
  if (status === 429) return true;
  // In the words of the API it says the same; of a proxy's nobody knows.
  if (status === 503) return isRepeatable(call) || envelopeOf(text) !== undefined;
  // A proxy that lost the service on the way, or waited for it in vain.
  if (status === 502 || status === 504) return isRepeatable(call);
  // The attempt before, whose answer was lost, is still at work.
  return status === 409 && attempt > 0 && envelopeOf(text)?.code === 'IDEMPOTENCY_KEY_IN_USE';
}

/** `Retry-After` in milliseconds: seconds, or a date (RFC 9110 §10.2.3). */
export function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null || value.trim() === '') return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** How long to wait before an attempt, the first retry being number 0. Random, so that clients spread. */
export function delayMs(attempt: number, askedMs: number | undefined): number {
  if (askedMs !== undefined) return askedMs + Math.random() * JITTER_MS;
  return (0.5 + Math.random() / 2) * Math.min(LONGEST_DELAY_MS, BASE_DELAY_MS * 2 ** attempt);
}

/** 128 random bits. `randomUUID()` is missing on pages without TLS. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export { IDEMPOTENCY_KEY };
