import { Logger } from '@nestjs/common';

import { Database } from './database.js';

/** The rows that one statement removes: it holds locks and a connection for a short time only. */
export const BATCH = 1_000;

/** Runs a statement that removes at most `BATCH` rows and returns them, until it removes fewer. @returns how many in all */
export async function removeInBatches(database: Database, text: string): Promise<number> {
  for (let removed = 0; ;) {
    const { length } = await database.query({ text, values: [] });
    removed += length;
    if (length < BATCH) return removed;
  }
}

/** Removes what has expired, every `everyMs`. A run that fails is logged, and made up for by the next one. */
export function removeRegularly(remove: () => Promise<unknown>, everyMs: number): NodeJS.Timeout {
  const logger = new Logger('Cleanup');
  return setInterval(() => {
    remove().catch((error: unknown) => logger.warn(`What has expired was not removed: ${String(error)}`));
  }, everyMs).unref();
}
