import { DataSource } from 'typeorm';

/**
 * Makes the tables of entities that a test brings along. Those that are there, made by migrations, are left alone:
 * TypeORM would take indexes and checks away that entities do not tell it of, several statements at once on one
 * connection.
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
