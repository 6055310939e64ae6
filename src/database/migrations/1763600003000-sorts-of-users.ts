import { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for the sorts of users: by their time, and by e-mail as people sort text. */
export class SortsOfUsers1763600003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create index users_created_at on users (created_at, id)');
    await queryRunner.query('create index users_email_sorted on users ((email collate "und-x-icu"), id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index users_created_at, users_email_sorted');
  }
}
