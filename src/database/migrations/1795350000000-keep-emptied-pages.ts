import { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables that the service itself empties. */
const EMPTIED = ['idempotency_keys', 'sessions', 'logins', 'refresh_tokens', 'login_addresses'];

/**
 * Tables whose rows expire keep their pages when all rows are gone. A table without pages costs nothing to read from
 * end to end, so PostgreSQL plans just that, and holds on to the plan while the table fills again, until it is
 * analyzed: each request would read all keys of the last minute.
 */
export class KeepEmptiedPages1795350000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of EMPTIED)
      await queryRunner.query(`alter table ${table} set (vacuum_truncate = false)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of EMPTIED) await queryRunner.query(`alter table ${table} reset (vacuum_truncate)`);
  }
}
