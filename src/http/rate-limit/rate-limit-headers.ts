import { RateLimitConfig } from '../../config/config.js';

type Values = Readonly<Record<string, string>>;

/** The headers of the general limit that are the same for every response, which has them from its start. */
export function policyHeaders({ limit, windowSeconds }: RateLimitConfig): Values {
  if (limit === 0) return {};
  return {
    'ratelimit-policy': `"default";q=${limit};w=${windowSeconds}`,
    'x-ratelimit-limit': String(limit),
  };
}

/** Beside `policyHeaders`, the headers of a response whose request is not counted: the whole limit is left. */
export function uncountedHeaders({ limit, windowSeconds }: RateLimitConfig): Values {
  if (limit === 0) return {};
  return {
    ratelimit: `"default";r=${limit};t=${windowSeconds}`,
    'x-ratelimit-remaining': String(limit),
    'x-ratelimit-reset': String(windowSeconds),
  };
}
