import { MigrationInterface, QueryRunner } from 'typeorm';

export class AllowTheRoleAuditor1763800000000 implements MigrationInterface {
  /** Validates existing rows in a step of its own, while they are read and written. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await replaceCheck(queryRunner, `role in ('admin', 'editor', 'viewer', 'auditor')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await replaceCheck(queryRunner, `role in ('admin', 'editor', 'viewer')`);
  }
}

async function replaceCheck(queryRunner: QueryRunner, expression: string): Promise<void> {
  await queryRunner.query(`
    alter table users
      drop constraint users_role_known,
      add constraint users_role_known check (${expression}) not valid`);
  await queryRunner.query('alter table users validate constraint users_role_known');
}
