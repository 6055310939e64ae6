import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sets the pauses between the attempts of dead letters. pg-boss inserts a dead letter without them, and its own default is
 * no pause, so all attempts would be used up within seconds.
 */
export class DeadLetters1763600000150 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table pgboss.job alter column retry_delay set default 5, alter column retry_backoff set default true',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table pgboss.job alter column retry_delay set default 0, alter column retry_backoff set default false',
    );
  }
}
