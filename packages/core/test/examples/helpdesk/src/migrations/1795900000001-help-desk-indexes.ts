import { MigrationInterface, QueryRunner } from 'typeorm';

import { buildIndex } from '@plinth/core';

export class HelpDeskIndexes1795900000001 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await buildIndex(
      queryRunner,
      `create index concurrently if not exists "users_company_id_created_at" on "users" ("company_id", "created_at", "id") include ("role")`,
    );
    await buildIndex(
      queryRunner,
      `create index concurrently if not exists "users_company_id_email" on "users" ("company_id", ("email" collate "und-x-icu"), "id") include ("email", "role", "created_at")`,
    );
    await buildIndex(
      queryRunner,
      `create index concurrently if not exists "users_company_id_role_created_at" on "users" ("company_id", "role", "created_at", "id")`,
    );
    await buildIndex(
      queryRunner,
      `create index concurrently if not exists "users_company_id_role_email" on "users" ("company_id", "role", ("email" collate "und-x-icu"), "id")`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`drop index concurrently if exists "users_company_id_role_email"`);
    await queryRunner.query(`drop index concurrently if exists "users_company_id_role_created_at"`);
    await queryRunner.query(`drop index concurrently if exists "users_company_id_email"`);
    await queryRunner.query(`drop index concurrently if exists "users_company_id_created_at"`);
  }
}
