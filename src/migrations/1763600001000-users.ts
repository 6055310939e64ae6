import { createTotals, dropTotals, Totals } from '@plinth/core';
import { MigrationInterface, QueryRunner } from 'typeorm';

/** The expression of the search column. A word of the e-mail (weight A) counts more than a word of the name (B). */
const SEARCH = [
  `setweight(to_tsvector('simple', translate(search_text(coalesce("email", '')), '-"', '  ')), 'A')`,
  `setweight(to_tsvector('simple', translate(search_text(coalesce("name", '')), '-"', '  ')), 'B')`,
].join(' || ');

const TOTALS: Totals = { table: 'users', columns: ['role'] };

/** Each sort of the list, by itself and within a role; and the search. */
const INDEXES = [
  'users_created_at on users (created_at, id) include (role)',
  'users_role_created_at on users (role, created_at, id)',
  'users_email on users ((email collate "und-x-icu"), id) include (email, role, created_at)',
  'users_role_email on users (role, (email collate "und-x-icu"), id)',
  'users_search on users using gin (search)',
];

export class Users1763600001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      alter table users
        add column name character varying(200),
        add column search tsvector generated always as (${SEARCH}) stored,
        alter column role set default 'viewer',
        add constraint users_role_known check (role in ('admin', 'editor', 'viewer'))`);
    for (const index of INDEXES) await queryRunner.query(`create index ${index}`);
    for (const statement of createTotals(TOTALS)) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of dropTotals(TOTALS)) await queryRunner.query(statement);
    await queryRunner.query(
      'drop index users_created_at, users_role_created_at, users_email, users_role_email',
    );
    await queryRunner.query(`
      alter table users
        drop constraint users_role_known,
        alter column role drop default,
        drop column search,
        drop column name`);
  }
}
