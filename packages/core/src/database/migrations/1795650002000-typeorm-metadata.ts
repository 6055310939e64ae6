import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The table in which TypeORM looks up the expressions of generated columns, such as those of searches: without it
 * `queryRunner.getTable()`, and what is done by it, fails for tables that have one.
 */
export class TypeormMetadata1795650002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`create table if not exists typeorm_metadata (
      type varchar not null, database varchar, schema varchar, "table" varchar, name varchar, value text)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table typeorm_metadata');
  }
}
