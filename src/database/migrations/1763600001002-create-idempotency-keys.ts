import { MigrationInterface, QueryRunner } from 'typeorm';

export class CreateIdempotencyKeys1763600001002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      create table idempotency_keys (
        caller character varying(100) not null,
        key character varying(255) not null,
        fingerprint character varying(64) not null,
        status smallint not null,
        headers jsonb not null,
        json text not null,
        created_at timestamp(3) with time zone not null default now(),
        constraint idempotency_keys_pkey primary key (caller, key)
      )`);
    await queryRunner.query('create index idempotency_keys_created_at on idempotency_keys (created_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table idempotency_keys');
  }
}
