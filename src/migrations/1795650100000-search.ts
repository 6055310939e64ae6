import { buildIndex } from '@plinth/core';
import { MigrationInterface, QueryRunner } from 'typeorm';

/** What each table is searched by: a name counts most. */
const SEARCHES: readonly (readonly [table: string, words: string])[] = [
  [
    'products',
    `setweight(to_tsvector('simple', regexp_replace(regexp_replace(lower(normalize(coalesce("name", ''), NFKD) collate "und-x-icu"), '[\\u0300-\\u036f]+', '', 'g'), '[\\u0001-\\u002f:-@\\[-\`{-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+', ' ', 'g')), 'A') || setweight(to_tsvector('simple', regexp_replace(regexp_replace(lower(normalize(coalesce("category", ''), NFKD) collate "und-x-icu"), '[\\u0300-\\u036f]+', '', 'g'), '[\\u0001-\\u002f:-@\\[-\`{-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+', ' ', 'g')), 'B') || setweight(to_tsvector('simple', regexp_replace(regexp_replace(lower(normalize(coalesce("description", ''), NFKD) collate "und-x-icu"), '[\\u0300-\\u036f]+', '', 'g'), '[\\u0001-\\u002f:-@\\[-\`{-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+', ' ', 'g')), 'C')`,
  ],
  [
    'reviews',
    `setweight(to_tsvector('simple', regexp_replace(regexp_replace(lower(normalize(coalesce("comment", ''), NFKD) collate "und-x-icu"), '[\\u0300-\\u036f]+', '', 'g'), '[\\u0001-\\u002f:-@\\[-\`{-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+', ' ', 'g')), 'A')`,
  ],
  [
    'users',
    `setweight(to_tsvector('simple', regexp_replace(regexp_replace(lower(normalize(coalesce("email", ''), NFKD) collate "und-x-icu"), '[\\u0300-\\u036f]+', '', 'g'), '[\\u0001-\\u002f:-@\\[-\`{-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+', ' ', 'g')), 'A') || setweight(to_tsvector('simple', regexp_replace(regexp_replace(lower(normalize(coalesce("name", ''), NFKD) collate "und-x-icu"), '[\\u0300-\\u036f]+', '', 'g'), '[\\u0001-\\u002f:-@\\[-\`{-\\u00bf\\u2000-\\u206f\\u3000-\\u303f]+', ' ', 'g')), 'B')`,
  ],
];

/**
 * The columns that products, reviews and users are searched by, and their indexes, one table after the other. To fill a
 * column PostgreSQL rewrites its table under an ACCESS EXCLUSIVE lock: whoever uses it waits, some
 * seconds for 100,000 products. Where that is too long, fill an ordinary column in batches instead, by a trigger.
 * The index is built while the table is read and written.
 */
export class Search1795650100000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, words] of SEARCHES) {
      await queryRunner.query(
        `alter table "${table}" add column if not exists "search" tsvector generated always as (${words}) stored`,
      );
      await buildIndex(
        queryRunner,
        `create index concurrently if not exists "${table}_search" on "${table}" using gin ("search")`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [table] of SEARCHES.toReversed())
      await queryRunner.query(`alter table "${table}" drop column if exists "search"`);
  }
}
