import { buildIndex } from '@plinth/core';
import { MigrationInterface, QueryRunner } from 'typeorm';

const WORDS = `setweight(to_tsvector('simple', regexp_replace(regexp_replace(lower(normalize(coalesce("email", ''), NFKD) collate "und-x-icu"), '[\\u0300-\\u036f]+', '', 'g'), '[\\u0001-\\u002f:-@\\[-\`{-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+', ' ', 'g')), 'A') || setweight(to_tsvector('simple', regexp_replace(regexp_replace(lower(normalize(coalesce("name", ''), NFKD) collate "und-x-icu"), '[\\u0300-\\u036f]+', '', 'g'), '[\\u0001-\\u002f:-@\\[-\`{-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+', ' ', 'g')), 'B')`;

/**
 * The column that users are searched by, and its index. To fill the column PostgreSQL rewrites the table under an ACCESS
 * EXCLUSIVE lock: whoever uses it waits, some seconds for 100,000 rows. Where that is too long, fill an ordinary column
 * in batches instead, by a trigger. The index is built while the table is read and written.
 */
export class SearchUsers1795650100000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table "users" add column if not exists "search" tsvector generated always as (${WORDS}) stored`,
    );
    await buildIndex(
      queryRunner,
      'create index concurrently if not exists "users_search" on "users" using gin ("search")',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table "users" drop column if exists "search"');
  }
}
