import { availableParallelism } from 'node:os';

import { Injectable, Optional } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Algorithm, hash, verify } from '@node-rs/argon2';

import { Config } from '../config/config.js';
import { currentCaller } from '../database/caller-shares.js';
import { Semaphore } from '../database/semaphore.js';
import { ApiError } from '../http/errors/api-error.js';
import { HttpErrors } from '../http/errors/http.errors.js';

/** The parameters that the OWASP Password Storage Cheat Sheet recommends: argon2id with 19 MiB, 2 passes, 1 lane. */
const ARGON2ID = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

/** The hash of a random password that nobody knows. It has the same parameters as all other hashes. */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$w8phTdRo4SpHvuyDKW47Ng$RXR99BHdnyRPLjKLBApcb3la2Zczg+VTFh6/2i3pPPM';

/**
 * The maximum time that a password waits for its turn. If the predicted time is longer, the password is rejected at
 * once.
 */
const MAX_WAIT_MS = 5_000;
/** The assumed duration of a turn before the first measurement. */
const INITIAL_TURN_MS = 50;
/** The approximate number of recent turns that the average duration covers. */
const AVERAGED_TURNS = 8;

function overloadedError(waitMs: number): ApiError {
  const headers = { 'retry-after': String(Math.ceil(waitMs / 1000)) };
  return new ApiError(HttpErrors.OVERLOADED, undefined, { headers });
}

/**
 * Hashes and verifies passwords. A single hash occupies a processor core for about ten milliseconds, so a few logins at
 * once could stop all other requests. Therefore passwords wait in a queue. If the machine has several cores, one of
 * them stays free for other requests.
 *
 * Verifications come before hashes, but after three verifications in a row, a waiting hash gets a turn. Callers take
 * turns, so that a caller who sends many passwords does not delay others.
 * @throws ApiError `OVERLOADED` from each method, if a password has waited for five seconds, or if its predicted wait
 * is longer
 * @example const passwordHash = await this.passwords.hash(body.password);
 */
@Injectable()
export class Passwords {
  private readonly semaphore: Semaphore;
  private averageTurnMs = INITIAL_TURN_MS;

  constructor(@Optional() config?: ConfigService<Config, true>) {
    const processes = config?.get('workers', { infer: true }) ?? 1;
    this.semaphore = new Semaphore(Math.max(1, Math.floor((availableParallelism() - 1) / processes)));
  }

  /** Returns the argon2id hash of a password in PHC format. */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password, ARGON2ID), currentCaller(), false);
  }

  /**
   * Whether a password matches a hash.
   * @param stored the hash, or `undefined` for an unknown user. The verification takes the same time in both cases, so
   * that its duration does not reveal whether the user exists
   */
  verify(password: string, stored: string | undefined): Promise<boolean> {
    return this.verifyWith((matches) => matches(password, stored));
  }

  /**
   * Waits for a turn, and then runs work that verifies a password. Use it instead of `verify()` if the work also does
   * something else in the same turn, such as a query.
   * @param work gets a function that verifies a password like `verify()`, but does not wait for a turn
   * @param caller identifies the caller in the queue. For a login, pass the IP address, because its user is not known
   * yet
   */
  verifyWith<T>(work: (matches: Passwords['verify']) => Promise<T>, caller = currentCaller()): Promise<T> {
    return this.inTurn(
      () =>
        work(
          async (password, stored) => (await verify(stored ?? DECOY_HASH, password)) && stored !== undefined,
        ),
      caller,
      true,
    );
  }

  private async inTurn<T>(work: () => Promise<T>, caller: string, isUrgent: boolean): Promise<T> {
    await this.waitForTurn(caller, isUrgent);
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.averageTurnMs += (performance.now() - startedAt - this.averageTurnMs) / AVERAGED_TURNS;
      this.semaphore.release();
    }
  }

  private waitForTurn(caller: string, isUrgent: boolean): Promise<void> {
    const { semaphore } = this;
    const { inUse, permits } = semaphore;
    // Predict the wait: one turn until a permit is free, plus the turns of all entries that come before this one.
    const waitMs =
      inUse < permits
        ? 0
        : (1 + semaphore.countWaitingBefore(caller, isUrgent) / permits) * this.averageTurnMs;
    if (waitMs > MAX_WAIT_MS) throw overloadedError(waitMs);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        giveUp?.();
        reject(overloadedError(MAX_WAIT_MS));
      }, MAX_WAIT_MS);
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = semaphore.acquire(begin, { caller, isUrgent });
    });
  }
}
