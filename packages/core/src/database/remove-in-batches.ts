import { Logger } from '@nestjs/common';

import { Database } from './database.js';

/** The most rows that one statement removes, so that it holds locks and a connection only for a short time. */
const BATCH_SIZE = 1_000;

/**
 * Removes the rows that match a condition. Several instances may remove rows of the same table at the same time.
 * @param key the columns of the primary key
 */
export async function removeInBatches(
  database: Database,
  table: string,
  key: string,
  condition: string,
): Promise<void> {
  const text = `
    with batch as materialized (
      select ${key} from ${table} where ${condition} limit ${BATCH_SIZE} for update skip locked
    )
    delete from ${table} where (${key}) in (select * from batch) returning 1`;
  let removed: object[];
  do removed = await database.query({ text, values: [] });
  while (removed.length === BATCH_SIZE);
}

/**
 * Calls `remove` every `everyMs` milliseconds. If a call fails, a warning is logged, and the next call removes the
 * rows.
 */
export function removeRegularly(remove: () => Promise<unknown>, everyMs: number): NodeJS.Timeout {
  const logger = new Logger('Cleanup');
  return setInterval(() => {
    remove().catch((error: unknown) => logger.warn(`Expired rows were not removed: ${String(error)}`));
  }, everyMs).unref();
}
