import { FastifyRequest } from 'fastify';
import { StrategyCreatedStatic } from 'passport';

import { Principal } from '../access/principal.js';

/** The outcome of a strategy: a principal, or why there is none, as the strategy gave it. */
export interface Outcome {
  readonly principal?: Principal | null | undefined;
  readonly reason?: unknown;
}

/** A strategy, whose types know the requests of Express alone. */
interface Runnable {
  authenticate(request: FastifyRequest): void;
}

/**
 * Runs a Passport strategy on a request outside of Express, with the methods that Passport documents for strategies. It
 * reads headers only, so it can run before the body is read.
 *
 * @throws what the strategy passes to `error()`
 */
export function runStrategy(strategy: object, request: FastifyRequest): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // As in Passport, each request has its own instance, with the strategy as its prototype.
    const attempt = Object.create(strategy) as StrategyCreatedStatic & Runnable;
    attempt.success = (user) => {
      resolve({ principal: user as Principal });
    };
    attempt.fail = (reason?: unknown) => {
      resolve({ reason });
    };
    attempt.pass = () => {
      resolve({});
    };
    attempt.error = reject;
    attempt.authenticate(request);
  });
}
