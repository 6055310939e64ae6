import { DataSource } from 'typeorm';

import { loadConfig } from './src/config/load-config.js';
import { dataSourceOptions, ENTITY_FILES, migrationOptions } from './src/database/data-source-options.js';

const { database } = loadConfig();
if (!database.url) throw new Error('DATABASE_URL: unset, but the TypeORM CLI takes the address of a server');

const options = migrationOptions(dataSourceOptions(database.url, database));

/** The data source of the TypeORM CLI: `npx typeorm -d dist/ormconfig.js migration:show`. */
export default new DataSource({ ...options, entities: ENTITY_FILES });
