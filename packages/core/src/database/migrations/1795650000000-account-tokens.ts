import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A change of an account has its effect whoever makes it: another password ends the links that reset it, another e-mail
 * ends all links that were sent, and is not verified.
 */
const ACCOUNT_CHANGED = `
  create function account_changed() returns trigger language plpgsql as $$ begin
    if new.canonical_email is distinct from old.canonical_email then
      new.email_verified := false;
      delete from account_tokens where user_id = old.id;
    else
      delete from account_tokens where user_id = old.id and purpose = 'passwordReset';
    end if;
    return new;
  end $$`;

export class AccountTokens1795650000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table users add column email_verified boolean not null default false');
    await queryRunner.query(`
      create table account_tokens (
        digest bytea not null,
        user_id integer not null,
        purpose character varying(20) not null,
        expires_at timestamp(3) with time zone not null,
        constraint account_tokens_pkey primary key (digest),
        constraint account_tokens_user_id_fkey foreign key (user_id) references users (id) on delete cascade
      )`);
    await queryRunner.query('create index account_tokens_user_id on account_tokens (user_id)');
    await queryRunner.query(ACCOUNT_CHANGED);
    await queryRunner.query(`
      create trigger account_changed before update of canonical_email, password_hash on users for each row
      when (old.canonical_email is distinct from new.canonical_email or old.password_hash is distinct from new.password_hash)
      execute function account_changed()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop trigger account_changed on users');
    await queryRunner.query('drop function account_changed()');
    await queryRunner.query('drop table account_tokens');
    await queryRunner.query('alter table users drop column email_verified');
  }
}
