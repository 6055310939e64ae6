import PgBoss from 'pg-boss';
import { MigrationInterface, QueryRunner } from 'typeorm';

export const MAIL_QUEUE = 'mails';

/** Creates the tables of pg-boss, in the schema `pgboss`, and the queue of mails. */
export class MailQueue1763600000100 implements MigrationInterface {
  /**
   * The statements of pg-boss contain their own transaction, so the migration must not run in another. If an earlier
   * run has created the tables, they are kept.
   */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const [found] = (await queryRunner.query(`select to_regclass('pgboss.version') as "version"`)) as [
      { version: string | null },
    ];
    if (found.version === null) await queryRunner.query(PgBoss.getConstructionPlans());
    await queryRunner.query(`select pgboss.create_queue('${MAIL_QUEUE}', '{ "policy": "standard" }')`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop schema pgboss cascade');
  }
}
