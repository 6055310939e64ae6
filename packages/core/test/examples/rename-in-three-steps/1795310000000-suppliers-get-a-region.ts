import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For release 1.1, which writes both columns and reads `country`. The trigger copies what release 1.0 writes.
 */
export class SuppliersGetARegion1795310000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table suppliers add column region character varying(100)');
    await queryRunner.query(
      `create function suppliers_region() returns trigger language plpgsql as $$
       begin
         if tg_op = 'UPDATE' and new.country is distinct from old.country then new.region := new.country; end if;
         new.region := coalesce(new.region, new.country, 'unknown');
         return new;
       end $$`,
    );
    await queryRunner.query(
      `create trigger suppliers_region before insert or update on suppliers
       for each row execute function suppliers_region()`,
    );
    await queryRunner.query(
      'alter table suppliers add constraint suppliers_region_known check (region is not null) not valid',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table suppliers drop constraint suppliers_region_known');
    await queryRunner.query('drop trigger suppliers_region on suppliers');
    await queryRunner.query('drop function suppliers_region()');
    await queryRunner.query('alter table suppliers drop column region');
  }
}
