import { MigrationInterface, QueryRunner } from 'typeorm';

import { canonicalEmail } from '../../fields/email.js';

interface StoredEmail {
  readonly id: number;
  readonly email: string;
}

/**
 * Stores the canonical form of e-mails with letters outside ASCII anew: it has the ASCII form of the domain and no final
 * sigma now. If two users had two forms of one address, the older user keeps the address. The other user keeps the old
 * form, by which nobody is found: an administrator gives that user another e-mail.
 */
export class CanonicalDomains1795865000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const users = (await queryRunner.query(
      `select id, email from users where canonical_email ~ '[^ -~]' order by id`,
    )) as StoredEmail[];
    if (users.length === 0) return;
    // The address is the same: links that were sent stay good, and a verified e-mail stays verified.
    await queryRunner.query('alter table users disable trigger account_changed');
    for (const { id, email } of users)
      await queryRunner.query(
        `update users set canonical_email = $2
         where id = $1 and not exists (select from users where canonical_email = $2)`,
        [id, canonicalEmail(email)],
      );
    await queryRunner.query('alter table users enable trigger account_changed');
  }

  /** Nothing to undo: the release before computes its own form when an e-mail changes. */
  async down(): Promise<void> {}
}
