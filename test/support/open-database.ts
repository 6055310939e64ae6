import { DataSource, DataSourceOptions } from 'typeorm';

import { dataSourceOptions } from '../../packages/core/src/database/data-source-options.js';
import { Database } from '../../packages/core/src/database/database.js';

/** A `Database` without a service, and its data source. */
export interface OpenDatabase {
  readonly database: Database;
  readonly dataSource: DataSource;
  close(): Promise<void>;
}

export async function openDatabase(
  url: string,
  { poolSize = 4, statementTimeoutMs = 5_000 } = {},
  entities: DataSourceOptions['entities'] = [],
): Promise<OpenDatabase> {
  const options = dataSourceOptions(url, { poolSize, statementTimeoutMs });
  const dataSource = await new DataSource({ ...options, entities }).initialize();
  return { database: new Database(dataSource), dataSource, close: () => dataSource.destroy() };
}

/** The session in which a statement runs. */
export async function sessionOf(on: Pick<Database, 'query'>): Promise<number> {
  const [row] = await on.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid', values: [] });
  return row!.pid;
}
