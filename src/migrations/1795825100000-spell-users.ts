import { buildIndex } from '@plinth/core';
import { MigrationInterface, QueryRunner } from 'typeorm';

const WORDS = [
  `setweight(to_tsvector('simple', translate(search_text(coalesce("email", '')), '-"', '  ')), 'A')`,
  `setweight(to_tsvector('simple', translate(search_text(coalesce("name", '')), '-"', '  ')), 'B')`,
].join(' || ');

/** The spelling of the release before, which the way back restores. */
const EARLIER = [
  ['email', 'A'],
  ['name', 'B'],
]
  .map(
    ([column, weight]) =>
      `setweight(to_tsvector('simple', regexp_replace(regexp_replace(lower(normalize(coalesce("${column}", ''), NFKD) ` +
      `collate "und-x-icu"), '[\\u0300-\\u036f]+', '', 'g'), ` +
      `'[\\u0001-\\u002f:-@\\[-\`{-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+', ' ', 'g')), '${weight}')`,
  )
  .join(' || ');

/**
 * Searches of users compare text in the spelling of `search_text()`. To fill the new column PostgreSQL rewrites the table
 * under an ACCESS EXCLUSIVE lock: whoever uses it waits, some seconds for 100,000 rows and about ten times as long where
 * texts are long and not in ASCII. Run it at a quiet time if the table is large. The index is built while the table is read
 * and written, and searches use the old column until both are there.
 */
export class SpellUsers1795825100000 implements MigrationInterface {
  readonly transaction = false;

  up(queryRunner: QueryRunner): Promise<void> {
    return replaceColumn(queryRunner, WORDS);
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return replaceColumn(queryRunner, EARLIER);
  }
}

async function replaceColumn(queryRunner: QueryRunner, words: string): Promise<void> {
  await queryRunner.query(
    `alter table "users" add column if not exists "search_next" tsvector generated always as (${words}) stored`,
  );
  await buildIndex(
    queryRunner,
    'create index concurrently if not exists "users_search_next" on "users" using gin ("search_next")',
  );
  // Several statements in one query are one transaction.
  await queryRunner.query(`
    alter table "users" drop column if exists "search";
    alter table "users" rename column "search_next" to "search";
    alter index "users_search_next" rename to "users_search"`);
}
