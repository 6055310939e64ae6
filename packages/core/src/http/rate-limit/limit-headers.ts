import { RateLimitConfig } from '../../config/config.js';
import { ApiError } from '../errors/api-error.js';
import { HttpErrors } from '../errors/http.errors.js';

/** The state of one limit after a request was counted. */
export interface LimitState {
  readonly name: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly hits: number;
  readonly msLeft: number;
}

/** Converts to whole seconds, rounded up, at least 1. A client that waits this long is served again. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const requestsLeft = ({ limit, hits }: LimitState): number => Math.max(0, limit - hits);

/**
 * Returns the headers for a request that was counted under these limits. `X-RateLimit-*` show the limit with the fewest
 * requests left.
 */
export function limitHeaders(states: readonly LimitState[]): Record<string, string> {
  const [tightest] = states.toSorted((a, b) => requestsLeft(a) - requestsLeft(b));
  if (!tightest) return {};
  const policies = states.map(
    ({ name, limit, windowMs }) => `"${name}";q=${limit};w=${wholeSeconds(windowMs)}`,
  );
  const limits = states.map(
    (state) => `"${state.name}";r=${requestsLeft(state)};t=${wholeSeconds(state.msLeft)}`,
  );
  return {
    'ratelimit-policy': policies.join(', '),
    ratelimit: limits.join(', '),
    'x-ratelimit-limit': String(tightest.limit),
    'x-ratelimit-remaining': String(requestsLeft(tightest)),
    'x-ratelimit-reset': String(wholeSeconds(tightest.msLeft)),
  };
}

/** Returns the headers for a request that is not counted. They show the general limit with all its requests left. */
export function fullLimitHeaders({ limit, windowSeconds }: RateLimitConfig): Record<string, string> {
  const windowMs = windowSeconds * 1000;
  return limit === 0 ? {} : limitHeaders([{ name: 'default', limit, windowMs, hits: 0, msLeft: windowMs }]);
}

/**
 * Returns the error 429 with `Retry-After`.
 * @param what a clause that names the exceeded limit
 * @param msLeft milliseconds until the client is served again
 */
export function tooManyRequests(what: string, msLeft: number): ApiError {
  const seconds = wholeSeconds(msLeft);
  const headers = { 'retry-after': String(seconds) };
  return new ApiError(HttpErrors.RATE_LIMIT_EXCEEDED, `${what}; wait ${seconds} seconds.`, { headers });
}
