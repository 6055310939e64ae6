import { MigrationInterface, QueryRunner } from 'typeorm';

/** For release 1.4. Release 1.3 uses only `region`, and no instance of release 1.2 is left. */
export class SuppliersLoseTheirCountry1795330000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop trigger suppliers_region on suppliers');
    await queryRunner.query('drop function suppliers_region()');
    await queryRunner.query('alter table suppliers drop column country');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table suppliers add column country character varying(100)');
    await queryRunner.query('update suppliers set country = region');
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
  }
}
