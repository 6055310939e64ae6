import { RateLimitConfig } from '../../config/config.js';

/** The headers of a response whose request is not counted: the whole limit is left. */
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
