import { Logger } from '@nestjs/common';

import { Database } from './database.js';

/** The rows that one statement removes: it holds locks and a connection for a short time only. */
const BATCH_SIZE = 1_000;

/** Removes the rows of a condition. Any number of instances may do so at once. @param key the primary key */
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
  while ((await database.query({ text, values: [] })).length === BATCH_SIZE);
}

/** Removes what has expired, every `everyMs`. A run that fails is logged, and made up for by the next one. */
export function removeRegularly(remove: () => Promise<unknown>, everyMs: number): NodeJS.Timeout {
  const logger = new Logger('Cleanup');
  return setInterval(() => {
    remove().catch((error: unknown) => logger.warn(`What has expired was not removed: ${String(error)}`));
  }, everyMs).unref();
}
