import { DataSource } from 'typeorm';

/** Any number, the same in every instance: the advisory lock under which one of them migrates. */
const MIGRATION_LOCK = 7_311_046;

/**
 * Brings the schema up to date. Instances that start at the same time take turns: one migrates, the others find
 * nothing to do.
 *
 * @returns the names of the migrations that ran
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const lock = dataSource.createQueryRunner();
  try {
    await lock.connect();
    // Migrations may take longer than a request's statement may.
    await lock.query(`set statement_timeout = 0`);
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const ran = await dataSource.runMigrations({ transaction: 'each' });
    return ran.map(({ name }) => name);
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    await lock.query('reset statement_timeout').catch(() => undefined);
    await lock.release();
  }
}
