import { MigrationInterface, QueryRunner } from 'typeorm';

const BATCH = 5_000;

/** For release 1.2, which reads `region` and still writes both columns. */
export class FillTheRegionOfSuppliers1795320000000 implements MigrationInterface {
  // Each batch is a transaction of its own, so that nobody waits for more than one batch.
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const text = `
      update suppliers set region = coalesce(country, 'unknown')
      where id in (select id from suppliers where region is null limit ${BATCH})`;
    for (let rows = BATCH; rows === BATCH;) {
      const [, count] = (await queryRunner.query(text)) as [unknown, number];
      rows = count;
    }
    await queryRunner.query('alter table suppliers validate constraint suppliers_region_known');
    await queryRunner.query('alter table suppliers alter column region set not null');
    await queryRunner.query('alter table suppliers drop constraint suppliers_region_known');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table suppliers add constraint suppliers_region_known check (region is not null) not valid',
    );
    await queryRunner.query('alter table suppliers alter column region drop not null');
  }
}
