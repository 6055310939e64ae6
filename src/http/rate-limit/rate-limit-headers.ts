import { RateLimitConfig } from '../../config/config.js';

/** What a response says of the limit whose request was not counted: nothing was taken from it. */
export function uncountedHeaders({
  limit,
  windowSeconds,
}: RateLimitConfig): Readonly<Record<string, string>> {
  if (limit === 0) return {};
  return {
    'ratelimit-policy': `"default";q=${limit};w=${windowSeconds}`,
    ratelimit: `"default";r=${limit};t=${windowSeconds}`,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(limit),
    'x-ratelimit-reset': String(windowSeconds),
  };
}
