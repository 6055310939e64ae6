import { MigrationInterface, QueryRunner } from 'typeorm';

import { buildIndex } from '../build-index.js';

const TABLES = ['refresh_tokens', 'account_tokens'];

/** Indexes by which expired tokens are found and removed. */
export class ExpiredTokens1795650004000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await buildIndex(
        queryRunner,
        `create index concurrently if not exists "${table}_expires_at" on "${table}" ("expires_at")`,
      );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES)
      await queryRunner.query(`drop index concurrently if exists ${table}_expires_at`);
  }
}
