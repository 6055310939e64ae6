import { FastifyReply } from 'fastify';

import { ApiError } from '../errors/api-error.js';
import { RATE_LIMIT_EXCEEDED } from '../errors/http.errors.js';
import { Count } from './counter.js';
import { wholeSeconds } from './counter-storage.js';

/** A number of requests in a window. Writes the headers of responses about it. */
export class Limit {
  private readonly policy: string;
  private readonly windowSeconds: number;

  constructor(
    /** The name in `RateLimit` and `RateLimit-Policy`. */
    private readonly name: string,
    readonly requests: number,
    windowMs: number,
  ) {
    this.windowSeconds = wholeSeconds(windowMs);
    this.policy = `"${name}";q=${requests};w=${this.windowSeconds}`;
  }

  isExceeded({ hits }: Count): boolean {
    return hits > this.requests;
  }

  /** Tells the client the limit and what is left of it. */
  describe(reply: FastifyReply, count: Count): void {
    void reply.header('ratelimit-policy', this.policy).header('x-ratelimit-limit', this.requests);
    this.describeRest(reply, count);
  }

  /** Tells the client what is left of the general limit, whose other headers are there: see `policyHeaders`. */
  describeRest(reply: FastifyReply, { hits, msLeft }: Count): void {
    const seconds = wholeSeconds(msLeft);
    const left = Math.max(0, this.requests - hits);
    void reply
      .header('ratelimit', `"${this.name}";r=${left};t=${seconds}`)
      .header('x-ratelimit-remaining', left)
      .header('x-ratelimit-reset', seconds);
  }

  /** The error for a request past the limit. @param msLeft until another one gets through */
  refuse(reply: FastifyReply, msLeft: number): ApiError {
    this.describe(reply, { hits: this.requests, msLeft });
    const seconds = wholeSeconds(msLeft);
    const message = `More than ${this.requests} requests in ${this.windowSeconds} seconds; wait ${seconds} seconds.`;
    return new ApiError(RATE_LIMIT_EXCEEDED, message, { headers: { 'retry-after': String(seconds) } });
  }
}
