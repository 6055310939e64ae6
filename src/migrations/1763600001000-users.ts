import { createTotals, dropTotals, Totals } from '@plinth/core';
import { MigrationInterface, QueryRunner } from 'typeorm';

const TOTALS: Totals = { table: 'users', columns: ['role'] };

export class Users1763600001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table users add column name character varying(200)');
    await queryRunner.query(`alter table users alter column role set default 'viewer'`);
    await queryRunner.query(
      `alter table users add constraint users_role_known check (role in ('admin', 'editor', 'viewer'))`,
    );
    await queryRunner.query('create index users_created_at on users (created_at, id)');
    await queryRunner.query('create index users_email on users ((email collate "und-x-icu"), id)');
    for (const statement of createTotals(TOTALS)) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of dropTotals(TOTALS)) await queryRunner.query(statement);
    await queryRunner.query('drop index users_created_at, users_email');
    await queryRunner.query('alter table users drop constraint users_role_known');
    await queryRunner.query('alter table users alter column role drop default');
    await queryRunner.query('alter table users drop column name');
  }
}
