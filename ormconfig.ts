import 'reflect-metadata';

import { join } from 'node:path';

import { DataSource } from 'typeorm';

import { loadConfigWithoutKeys } from './src/core/config/read-config.js';
import { dataSourceOptions } from './src/core/database/data-source-options.js';
import { BASE_MIGRATIONS } from './src/core/database/migrations/migrations.js';
import { MIGRATIONS } from './src/migrations/migrations.js';

const { database, dataDir } = loadConfigWithoutKeys();

/** The database of `DATABASE_URL`, else the embedded one of a service that runs. */
async function urlOfDatabase(): Promise<string> {
  if (database.url) return database.url;
  const { openEmbeddedDatabase } = await import('./packages/embedded-postgres-server/embedded-database.js');
  const directory = join(dataDir, 'database');
  const embedded = await openEmbeddedDatabase({ directory, log: () => undefined });
  const isUnused = await embedded.stop();
  if (isUnused)
    throw new Error('Set DATABASE_URL, or start the service, whose embedded database is used then.');
  return embedded.url;
}

/** For TypeORM's own commands: `npx typeorm -d dist/ormconfig.js migration:show`. */
export default new DataSource({
  ...dataSourceOptions(await urlOfDatabase(), database),
  migrations: [...BASE_MIGRATIONS, ...MIGRATIONS],
  entities: [join(import.meta.dirname, 'src/**/*.entity.js')],
});
