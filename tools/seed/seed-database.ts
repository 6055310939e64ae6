import { join } from 'node:path';

import { DataSource } from 'typeorm';

import type { EmbeddedDatabase } from '../../packages/embedded-postgres-server/embedded-database.js';
import { Config } from '../../src/config/config.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { Database } from '../../src/database/database.js';
import { migrate } from '../../src/database/migrate.js';
import { DEMO_ENTITIES } from './demo/demo.js';
import { GENERATORS } from './generators.js';
import { EntityClass, withReferenced } from './referenced-entities.js';

/** Seeding writes on one connection while it makes the next rows. */
const CONNECTIONS = 2;
/** Enough for the clean-up of a very large table. */
const STATEMENT_TIMEOUT_MS = 3_600_000;

export interface SeedDatabase {
  readonly database: Database;
  /** Disconnects, and stops an embedded server that was started here. */
  readonly close: () => Promise<void>;
}

/**
 * The database of the configuration with every migration in: that of `DATABASE_URL`, else the embedded one, shared
 * with a running service or started for the time being.
 */
export async function openSeedDatabase(config: Config, log: (line: string) => void): Promise<SeedDatabase> {
  const embedded = config.database.url ? undefined : await openEmbedded(config, log);
  try {
    const dataSource = new DataSource({
      ...dataSourceOptions(config.database.url ?? embedded?.url ?? '', {
        poolSize: CONNECTIONS,
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      }),
      entities: entitiesOf(),
    });
    await dataSource.initialize();
    const close = async (): Promise<void> => {
      await dataSource.destroy();
      await embedded?.stop();
    };
    try {
      await migrate(dataSource);
    } catch (error) {
      await dataSource.destroy();
      throw error;
    }
    return { database: new Database(dataSource), close };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

function entitiesOf(): EntityClass[] {
  const generated = GENERATORS.flatMap(({ entity, parts }) => [entity, ...(parts ? [parts.entity] : [])]);
  return withReferenced([...generated, ...DEMO_ENTITIES] as EntityClass[]);
}

async function openEmbedded(config: Config, log: (line: string) => void): Promise<EmbeddedDatabase> {
  const { openEmbeddedDatabase } =
    await import('../../packages/embedded-postgres-server/embedded-database.js');
  return openEmbeddedDatabase({ directory: join(config.dataDir, 'database'), log, attach: true });
}
