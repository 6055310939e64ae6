import { envelopeOf } from './errors.js';
import type { Call } from './types.js';

const BASE_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** The maximum random addition to a `Retry-After`, so that clients do not all come back at once. */
const JITTER_MS = 500;

const IDEMPOTENCY_KEY = 'Idempotency-Key';

/**
 * Whether it is safe to send a request again although the server may have performed it. This is true for requests that
 * only read, and for requests with an idempotency key.
 */
export function isRepeatable({ method, headers }: Call): boolean {
  return method === 'GET' || method === 'HEAD' || headers?.[IDEMPOTENCY_KEY] !== undefined;
}

/** Whether to send a request again after this response. */
export function asksForRetry(call: Call, status: number, text: string, attempt: number): boolean {
  // After a 429, the server has not performed the request.
  if (status === 429) return true;
  // After a 503 of the API, the server has not performed the request. After a 503 of a proxy, it may have.
  if (status === 503) return isRepeatable(call) || envelopeOf(text) !== undefined;
  // A proxy lost its connection to the service, or got no response in time.
  if (status === 502 || status === 504) return isRepeatable(call);
  // The previous attempt, whose response was lost, is still running.
  return status === 409 && attempt > 0 && envelopeOf(text)?.code === 'IDEMPOTENCY_KEY_IN_USE';
}

/** Returns `Retry-After` in milliseconds. The header has seconds or a date (RFC 9110 §10.2.3). */
export function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null || value.trim() === '') return undefined;
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/**
 * Returns how long to wait before a retry. The time is random, so that clients do not all come back at once.
 *
 * @param attempt the number of the retry, from 0
 * @param askedMs the `Retry-After` of the response
 */
export function delayMs(attempt: number, askedMs: number | undefined): number {
  if (askedMs !== undefined) return askedMs + Math.random() * JITTER_MS;
  return (0.5 + Math.random() / 2) * Math.min(LONGEST_DELAY_MS, BASE_DELAY_MS * 2 ** attempt);
}

/** Returns 128 random bits as hex. `randomUUID()` does not exist on pages without TLS. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export { IDEMPOTENCY_KEY };
