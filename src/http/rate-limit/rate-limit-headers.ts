import { RateLimitConfig } from '../../config/config.js';

type Values = Readonly<Record<string, string>>;

/** The headers of the general limit that are the same for every response. */
export function policyHeaders({ limit, windowSeconds }: RateLimitConfig): Values {
  if (limit === 0) return {};
  return {
    'ratelimit-policy': `"default";q=${limit};w=${windowSeconds}`,
    'x-ratelimit-limit': String(limit),
  };
}

/** The headers of a response whose request is not counted: the whole limit is left. */
export function uncountedHeaders(config: RateLimitConfig): Values {
  const { limit, windowSeconds } = config;
  if (limit === 0) return {};
  return {
    ...policyHeaders(config),
    ratelimit: `"default";r=${limit};t=${windowSeconds}`,
    'x-ratelimit-remaining': String(limit),
    'x-ratelimit-reset': String(windowSeconds),
  };
}
