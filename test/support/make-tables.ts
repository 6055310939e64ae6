import { DataSource } from 'typeorm';

/**
 * Creates the tables of the entities of a test, and leaves tables of migrations alone: TypeORM would drop
 * indexes and checks that entities do not declare, with concurrent statements on one connection.
 */
export async function makeTables(dataSource: DataSource): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    for (const metadata of dataSource.entityMetadatas)
      metadata.synchronize = !(await runner.hasTable(metadata.tableName));
  } finally {
    await runner.release();
  }
  await dataSource.synchronize();
}
