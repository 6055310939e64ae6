import { MigrationInterface, QueryRunner } from 'typeorm';

import { MAIL_QUEUE } from '../database/migrations/1763600000100-mail-queue.js';
import { Migrations } from '../database/migrate.js';

/**
 * Returns a migration for each queue, which creates the queue. It runs after the migration that creates the tables of
 * pg-boss, which also creates the queue of mails.
 */
export const queueMigrations = (queues: readonly string[]): Migrations =>
  queues.filter((queue) => queue !== MAIL_QUEUE).map(queueMigration);

function queueMigration(queue: string): Migrations[number] {
  return class implements MigrationInterface {
    /** TypeORM reads the order of migrations from the digits at the end. */
    readonly name = `CreateQueue_${queue}_1763600000200`;

    async up(queryRunner: QueryRunner): Promise<void> {
      const options = { policy: 'standard' };
      await queryRunner.query('select pgboss.create_queue($1, $2)', [queue, JSON.stringify(options)]);
    }

    async down(queryRunner: QueryRunner): Promise<void> {
      await queryRunner.query('select pgboss.delete_queue($1)', [queue]);
    }
  };
}
