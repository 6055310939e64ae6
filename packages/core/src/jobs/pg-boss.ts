import PgBoss from 'pg-boss';

import type { Database } from '../database/database.js';
import type { SqlExecutor } from '../database/sql-executor.js';

/** A completed job stays in the table for an hour, a job that finally failed for a week. */
const RETENTION = {
  archiveCompletedAfterSeconds: 3_600,
  archiveFailedAfterSeconds: 604_800,
  deleteAfterSeconds: 1,
};

/**
 * Creates the client of pg-boss. It uses the connection pool of the service. Do not call `start()`: it would open
 * additional connections, and fail if migrations have not yet created its tables.
 */
export const createPgBoss = (database: Database): PgBoss =>
  new PgBoss({ db: toPgBossDb(database), ...RETENTION });

export const toPgBossDb = (executor: Pick<SqlExecutor, 'query'>): PgBoss.Db => ({
  executeSql: async (text, values: unknown[]) => ({ rows: await executor.query({ text, values }) }),
});
