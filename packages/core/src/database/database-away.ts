import { setTimeout as sleep } from 'node:timers/promises';

import { isConnectionMisconfigured } from './connection-faults.js';
import { ConnectionFailedError, databaseErrorCode, isConnectionLost } from './database-error.js';

/**
 * Is called while the database is away. Returns when the next attempt should begin.
 * @throws to make no further attempt
 */
export type OnDatabaseAway = (error: unknown) => Promise<void>;

/** Runs `work`, and runs it again as long as the database is away. Throws every other error of `work`. */
export async function retryWhileAway<T>(work: () => Promise<T>, onAway: OnDatabaseAway): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      await onAway(error);
    }
  }
}

const ATTEMPTS = 5;
const PAUSE_MS = 1_000;

/** Gives up after five attempts, one second apart. For programs that end by themselves, such as migrations. */
export function giveUpSoon(): OnDatabaseAway {
  let attempts = 0;
  return async (error) => {
    if (++attempts === ATTEMPTS) throw error;
    await sleep(PAUSE_MS);
  };
}

/**
 * Whether an error means that the server is away or read-only, for example while it starts or fails over, and that
 * waiting may help.
 */
const isDatabaseAway = (error: unknown): boolean =>
  !isConnectionMisconfigured(error) &&
  (error instanceof ConnectionFailedError || isConnectionLost(error) || databaseErrorCode(error) === '25006');
