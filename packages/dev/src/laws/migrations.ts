import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { INestApplicationContext } from '@nestjs/common';
import { migrate } from '@plinth/core/dev';
import { DataSource } from 'typeorm';

import { findChanges } from '../migrations/changes.js';
import { withDataSource } from '../migrations/data-source.js';
import { declarationsIn } from '../migrations/scratch.js';
import { unfollowedTables } from '../migrations/triggers.js';
import { createDatabase } from '../testing/databases.js';

/**
 * Checks the migrations of an application on a temporary database. Returns the migration files that the application does
 * not run, the tables that computed fields read although they have no trigger for new versions, and the statements that
 * `plinth migration:generate` would write.
 *
 * @param sources the folder of the code. Its entities and lists are checked even if no module uses them
 */
export async function migrationFaults(nest: INestApplicationContext, sources: string) {
  const { options, migrations } = nest.get(DataSource);
  const { entities, lists } = await declarationsIn(sources);
  const database = await createDatabase();
  const declared = {
    entities: [...new Set([...Object.values(options.entities ?? {}), ...entities])],
    migrations: migrations.map(({ constructor }) => constructor),
  };
  const names = migrations.map(({ name, constructor }) => name ?? constructor.name);
  try {
    return await withDataSource(database.url, declared, async (dataSource) => {
      await migrate(dataSource);
      return {
        unlisted: readdirSync(join(sources, 'migrations'))
          .filter((file) => /^\d{13}-.*\.ts$/.test(file))
          .filter((file) => !names.some((name) => name.endsWith(file.slice(0, 13)))),
        unfollowed: await unfollowedTables(dataSource),
        missing: (await findChanges(dataSource, lists, true)).up,
      };
    });
  } finally {
    await database.drop();
  }
}
