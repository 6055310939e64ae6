import { DataSource, DataSourceOptions } from 'typeorm';

import { dataSourceOptions } from '../../packages/core/src/database/data-source-options.js';
import { createDatabase, TestDatabase } from './databases.js';

interface ChangingDatabase {
  query: TestDatabase['query'];
  /** Opens a data source with the given options. It is destroyed after the test. */
  connect(declared: Pick<DataSourceOptions, 'entities' | 'migrations'>): Promise<DataSource>;
}

/** Provides a migrated database for each of the following tests, which may change its tables. */
export function useChangingDatabase(): ChangingDatabase {
  let database: TestDatabase;
  let open: DataSource[];
  beforeEach(async () => {
    database = await createDatabase();
    open = [];
  });
  afterEach(async () => {
    for (const dataSource of open) await dataSource.destroy();
    await database.drop();
  });
  return {
    query: (text, values) => database.query(text, values),
    connect: async (declared) => {
      const options = dataSourceOptions(database.url, { poolSize: 2, statementTimeoutMs: 30_000 });
      const dataSource = await new DataSource({ ...options, ...declared }).initialize();
      open.push(dataSource);
      return dataSource;
    },
  };
}
