import type PgBoss from 'pg-boss';

import { Database } from '../database/database.js';
import { JobRow } from './job-row.js';
import { toPgBossDb } from './pg-boss.js';

export const INTERRUPTED_MESSAGE =
  'the attempt was interrupted: its process was killed, or did not report the outcome in time';

/**
 * Ends the attempts of jobs whose processes did not report an outcome in time. `maintain()` of pg-boss would do this, too,
 * but would not say which attempts it has ended.
 * @returns the jobs, as they were during the attempt
 */
export function failInterruptedAttempts(
  boss: PgBoss,
  database: Database,
  queues: readonly string[],
): Promise<readonly JobRow[]> {
  return database.transaction(async (tx) => {
    const rows = await tx.query<JobRow>({
      text: `
        select id, name, data, retry_count as "retryCount", retry_limit as "retryLimit", output
        from pgboss.job where name = any($1) and state = 'active' and started_on + expire_in < now()
        for update skip locked`,
      values: [queues],
    });
    for (const { name, id } of rows)
      await boss.fail(name, id, { message: INTERRUPTED_MESSAGE }, { db: toPgBossDb(tx) });
    return rows;
  });
}
