import { FastifyReply } from 'fastify';

import { RateLimitConfig } from '../../config/config.js';
import { ApiError } from '../errors/api-error.js';
import { RATE_LIMIT_EXCEEDED } from '../errors/http.errors.js';
import { Count, Counter } from './window-counter.js';

/** Rounded up, and at least 1: a client that waits that long gets through. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** A number of requests in a window. Writes the headers of responses about it. */
export class Limit {
  constructor(
    /** The name in `RateLimit` and `RateLimit-Policy`. */
    readonly name: string,
    readonly requests: number,
    private readonly windowMs: number,
    readonly counter: Counter,
  ) {}

  isExceeded({ hits }: Count): boolean {
    return hits > this.requests;
  }

  /** Tells the client the limit and what is left of it. */
  describe(reply: FastifyReply, { hits, msLeft }: Count): void {
    const seconds = wholeSeconds(msLeft);
    const left = Math.max(0, this.requests - hits);
    void reply.headers({
      'ratelimit-policy': `"${this.name}";q=${this.requests};w=${wholeSeconds(this.windowMs)}`,
      ratelimit: `"${this.name}";r=${left};t=${seconds}`,
      'x-ratelimit-limit': this.requests,
      'x-ratelimit-remaining': left,
      'x-ratelimit-reset': seconds,
    });
  }

  /** The error for a request past the limit. @param msLeft until another one gets through */
  refuse(reply: FastifyReply, msLeft: number): ApiError {
    this.describe(reply, { hits: this.requests, msLeft });
    const seconds = wholeSeconds(msLeft);
    const window = wholeSeconds(this.windowMs);
    const message = `More than ${this.requests} requests in ${window} seconds; wait ${seconds} seconds.`;
    return new ApiError(RATE_LIMIT_EXCEEDED, message, { headers: { 'retry-after': String(seconds) } });
  }
}

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
