import 'reflect-metadata';

import { join } from 'node:path';

import { openDataSource } from '@plinth/core/dev';

import { MIGRATIONS } from './src/migrations/migrations.js';

/** For TypeORM's own commands: `npx typeorm -d dist/ormconfig.js migration:show`. */
export default await openDataSource({
  entities: [join(import.meta.dirname, 'src/**/*.entity.js')],
  migrations: MIGRATIONS,
});
