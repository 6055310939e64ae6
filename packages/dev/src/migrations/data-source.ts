import { dataSourceOptions } from '@plinth/core/dev';
import { DataSource, DataSourceOptions, QueryRunner, ReplicationMode } from 'typeorm';

type Declared = Pick<DataSourceOptions, 'entities' | 'migrations'> & { readonly statementTimeoutMs?: number };

/**
 * Starts a query on a connection only after the previous one has ended. TypeORM's schema builder starts several at a time
 * if tables have generated columns, which `pg` deprecates and its version 9 will refuse.
 */
class SequentialDataSource extends DataSource {
  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    const runner = super.createQueryRunner(mode);
    const query = runner.query.bind(runner) as (...args: unknown[]) => Promise<unknown>;
    let last: Promise<unknown> = Promise.resolve();
    runner.query = ((...args: unknown[]) => {
      const result = last.then(() => query(...args));
      last = result.catch(() => undefined);
      return result;
    }) as QueryRunner['query'];
    return runner;
  }
}

/** Passes an open data source to `work`, and closes it afterwards. */
export async function withDataSource<Result>(
  url: string,
  { statementTimeoutMs = 60_000, ...declared }: Declared,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const dataSource = new SequentialDataSource({
    ...dataSourceOptions(url, { poolSize: 2, statementTimeoutMs }),
    ...declared,
  });
  try {
    return await work(await dataSource.initialize());
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
  }
}

/** Runs `work` in a transaction, and rolls back what it changes. */
export async function withRollback<Result>(
  dataSource: DataSource,
  work: (runner: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    return await work(runner);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}
