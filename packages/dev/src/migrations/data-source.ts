import { dataSourceOptions } from '@plinth/core/dev';
import { DataSource, DataSourceOptions, QueryRunner } from 'typeorm';

type Declared = Pick<DataSourceOptions, 'entities' | 'migrations'> & { readonly statementTimeoutMs?: number };

/** Passes an open data source to `work`, and closes it afterwards. */
export async function withDataSource<Result>(
  url: string,
  { statementTimeoutMs = 60_000, ...declared }: Declared,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const dataSource = new DataSource({
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
