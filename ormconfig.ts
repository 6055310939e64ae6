import 'reflect-metadata';

import { join } from 'node:path';

import { openDataSource } from '@plinth/core/dev';

import { MIGRATIONS } from './src/migrations/migrations.js';

/** The data source of TypeORM's own commands, such as `npx typeorm -d dist/ormconfig.js migration:show`. */
export default await openDataSource({
  entities: [join(import.meta.dirname, 'src/**/*.entity.js')],
  migrations: MIGRATIONS,
});
