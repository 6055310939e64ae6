import { DataSource, DataSourceOptions } from 'typeorm';

import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { Database } from '../../src/database/database.js';
import { RowCaches } from '../../src/database/row-caches.js';

/** A `Database` without a service around it, and the data source that it works over. */
export interface OpenDatabase {
  readonly database: Database;
  readonly dataSource: DataSource;
  close(): Promise<void>;
}

export async function openDatabase(
  url: string,
  { poolSize = 4, statementTimeoutMs = 5_000, rowCacheBytes = 0 } = {},
  entities: DataSourceOptions['entities'] = [],
): Promise<OpenDatabase> {
  const options = dataSourceOptions(url, { poolSize, statementTimeoutMs });
  const dataSource = await new DataSource({ ...options, entities }).initialize();
  const rowCaches = new RowCaches(rowCacheBytes);
  const database = new Database(dataSource, undefined, undefined, undefined, rowCaches);
  return { database, dataSource, close: () => dataSource.destroy() };
}

/** The session that a statement runs in. */
export async function sessionOf(on: Pick<Database, 'query'>): Promise<number> {
  const [row] = await on.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid', values: [] });
  return row!.pid;
}
