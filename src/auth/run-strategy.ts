import { FastifyRequest } from 'fastify';
import { Strategy } from 'passport';

/** The outcome of a Passport strategy. */
export type Outcome<User> =
  | { readonly kind: 'success'; readonly user: User }
  /** `reason` as the strategy gave it: an error, a challenge, or nothing. */
  | { readonly kind: 'failure'; readonly reason: unknown };

/** A strategy under way. It reads the headers of its request only. */
interface Attempt {
  authenticate(request: Pick<FastifyRequest, 'headers'>): void;
}

/**
 * Runs a Passport strategy on a Fastify request, without Express. Strategies read headers only, so they can run before
 * the body is read.
 *
 * @throws what the strategy passes to `error()`
 */
export function runStrategy<User>(strategy: Strategy, request: FastifyRequest): Promise<Outcome<User>> {
  return new Promise((resolve, reject) => {
    // As in Passport, each request has its own instance, with the strategy as its prototype.
    const attempt = Object.create(strategy) as Attempt;
    const fail = (reason?: unknown): void => {
      resolve({ kind: 'failure', reason });
    };
    Object.assign(attempt, {
      success: (user: User) => {
        resolve({ kind: 'success', user });
      },
      fail,
      pass: fail,
      error: reject,
    });
    attempt.authenticate(request);
  });
}
