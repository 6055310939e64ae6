import { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = [
  'products',
  'users',
  'logins',
  'api_keys',
  'access_grants',
  'orders',
  'order_items',
  'reviews',
];

/** A time that the statement sets stays. */
const FUNCTION = `
  create function next_version() returns trigger language plpgsql as $$ begin
    new.version := old.version + 1;
    if new.updated_at is not distinct from old.updated_at then
      new.updated_at := greatest(old.updated_at, clock_timestamp());
    end if;
    return new;
  end $$`;

/** Every change of a row makes it a new version, so that no entity tag stands for two representations. */
export class VersionsByTrigger1795295400000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(FUNCTION);
    for (const table of TABLES) {
      await queryRunner.query(
        `create trigger "${table}_next_version" before update on "${table}" for each row ` +
          'when (new.version = old.version) execute function next_version()',
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await queryRunner.query(`drop trigger "${table}_next_version" on "${table}"`);
    await queryRunner.query('drop function next_version()');
  }
}
