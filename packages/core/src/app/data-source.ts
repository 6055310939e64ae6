import { join } from 'node:path';

import { DataSource, DataSourceOptions } from 'typeorm';

import { loadConfigWithoutKeys } from '../config/read-config.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { Migrations } from '../database/migrate.js';
import { BASE_MIGRATIONS } from '../database/migrations/migrations.js';
import { openEmbedded } from './program.js';

/** Returns the data source for TypeORM's CLI. Uses `DATABASE_URL`, or the embedded database of a running service. */
export async function openDataSource({
  entities,
  migrations,
}: {
  readonly entities: DataSourceOptions['entities'];
  readonly migrations: Migrations;
}): Promise<DataSource> {
  const { database, dataDir } = loadConfigWithoutKeys();
  let { url } = database;
  if (url === undefined) {
    const embedded = await openEmbedded(dataDir, () => undefined);
    if (await embedded.stop())
      throw new Error('Set DATABASE_URL, or start the service to use its embedded database.');
    ({ url } = embedded);
  }
  return new DataSource({
    ...dataSourceOptions(url, database),
    migrations: [...BASE_MIGRATIONS, ...migrations],
    entities: [join(import.meta.dirname, '../**/*.entity.js'), ...Object.values(entities ?? [])],
  });
}
