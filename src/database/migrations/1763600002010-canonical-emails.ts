import { MigrationInterface, QueryRunner } from 'typeorm';

import { canonicalEmail } from '../../fields/canonical-email.js';

const BATCH = 5_000;

interface User {
  readonly id: number;
  readonly email: string;
}

/** E-mails are unique and found by their canonical form, which the service computes; PostgreSQL's `lower()` differs. */
export class CanonicalEmails1763600002010 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table users add column canonical_email character varying(762)');
    await fill(queryRunner);
    await mustBeUnique(queryRunner);
    await queryRunner.query('alter table users alter column canonical_email set not null');
    await queryRunner.query('drop index users_email_key');
    await queryRunner.query('create unique index users_email_key on users (canonical_email)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index users_email_key');
    await queryRunner.query('create unique index users_email_key on users (lower(email))');
    await queryRunner.query('alter table users drop column canonical_email');
  }
}

async function fill(queryRunner: QueryRunner): Promise<void> {
  for (let last = 0; ;) {
    const text = `select id, email from users where id > $1 order by id limit ${BATCH}`;
    const users = (await queryRunner.query(text, [last])) as User[];
    if (users.length === 0) return;
    const ids = users.map(({ id }) => id);
    const emails = users.map(({ email }) => canonicalEmail(email));
    const update = `
      update users set canonical_email = email_of.canonical
      from unnest($1::int[], $2::text[]) as email_of (id, canonical) where users.id = email_of.id`;
    await queryRunner.query(update, [ids, emails]);
    last = ids.at(-1) as number;
  }
}

/** @throws Error that names the users to correct: which of them keeps the e-mail is for people to decide */
async function mustBeUnique(queryRunner: QueryRunner): Promise<void> {
  const text = `
    select string_agg(id::text, ', ' order by id) as ids from users
    group by canonical_email having count(*) > 1 order by min(id) limit 20`;
  const shared = (await queryRunner.query(text)) as { ids: string }[];
  if (shared.length === 0) return;
  const groups = shared.map(({ ids }) => ids).join('; ');
  throw new Error(
    `users with one e-mail in different spellings, by id: ${groups}; change all but one of each group, then migrate again`,
  );
}
