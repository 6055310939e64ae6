import { FastifyRequest } from 'fastify';
import { Strategy } from 'passport';

/** What a Passport strategy made of a request. */
export type Outcome<User> =
  | { readonly kind: 'success'; readonly user: User }
  /** `reason` is what the strategy gave for it: an error, a challenge, or nothing. */
  | { readonly kind: 'failure'; readonly reason: unknown };

/** A strategy at work, as we call it: with a request that has headers, which is all it reads. */
interface Attempt {
  authenticate(request: Pick<FastifyRequest, 'headers'>): void;
}

/**
 * Runs a Passport strategy on a Fastify request, without Express: strategies read headers only, so they can run
 * before the body is read.
 *
 * @throws what the strategy calls an error: it could not find out
 */
export function runStrategy<User>(strategy: Strategy, request: FastifyRequest): Promise<Outcome<User>> {
  return new Promise((resolve, reject) => {
    // As Passport does it: each request has an instance of its own, with the strategy as its prototype.
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
