import { Injectable } from '@nestjs/common';

import { SqlExecutor } from '../database/sql-executor.js';
import { Database } from '../database/database.js';
import { canonicalEmail } from '../fields/email.js';
import { MailTemplates } from '../mail/mail-templates.js';
import { Mail } from '../mail/mail-transport.js';
import { Mails } from '../mail/mails.js';
import { PublicUrl } from '../mail/public-url.js';
import { AccountEntity, accountTable } from './account.entity.js';
import { AccountLimits } from './account-limits.js';
import { newSecret } from './secret.js';

/** The purposes of tokens, by the names of the templates, and for how many seconds they are good. */
const TTL_SECONDS = { passwordReset: 30 * 60, emailVerification: 24 * 3_600 };
export type TokenPurpose = keyof typeof TTL_SECONDS;

/**
 * Mails to users about their accounts: of one kind and address one a minute, and of links no more than the limit of the
 * account. They contain nothing that a user has typed, and only the address decides who gets one.
 * @example await this.accountMails.tell('emailChanged', before, tx);
 */
@Injectable()
export class AccountMails {
  private readonly users = accountTable(this.database.manager.dataSource);

  constructor(
    private readonly mails: Mails,
    private readonly templates: MailTemplates,
    private readonly publicUrl: PublicUrl,
    private readonly database: Database,
    private readonly limits: AccountLimits,
  ) {
    for (const purpose of Object.keys(TTL_SECONDS) as TokenPurpose[])
      mails.setComposer(purpose, (email) => this.compose(purpose, email));
  }

  /** Sends a link to the user of an e-mail, if there is one: how long that takes does not tell. Past the limit it sends none. */
  async sendLink(purpose: TokenPurpose, email: string, db: SqlExecutor): Promise<void> {
    const canonical = canonicalEmail(email);
    if (await this.limits.mayReceiveMail(canonical, purpose))
      await this.mails.sendComposed(purpose, canonical, db, `${purpose} ${canonical}`);
  }

  /** Tells a user of a change, at the address that they have in `user`. */
  notify(change: 'passwordChanged' | 'emailChanged', user: AccountEntity, tx: SqlExecutor): Promise<void> {
    const mail = { to: user.email, ...this.templates[change]() };
    return this.mails.send(mail, tx, `${change} ${user.canonicalEmail}`);
  }

  /** The user is locked: a change that ends tokens ends this one too, or comes first. */
  private async compose(purpose: TokenPurpose, email: string): Promise<Mail | null> {
    const { value: token, digest } = newSecret();
    const text = `
      with found as (
        select id, email from ${this.users}
        where canonical_email = $1 and not (email_verified and $2 = 'emailVerification') for share
      ), expired as (
        delete from account_tokens where user_id = (select id from found) and expires_at <= clock_timestamp()
      ), issued as (
        insert into account_tokens (digest, user_id, purpose, expires_at)
        select $3, id, $2, clock_timestamp() + $4::float8 * interval '1 second' from found
      )
      select email from found`;
    const values = [email, purpose, Buffer.from(digest, 'hex'), TTL_SECONDS[purpose]];
    const [user] = await this.database.query<{ email: string }>({ text, values });
    if (!user) return null;
    return { to: user.email, ...this.templates[purpose]({ publicUrl: String(this.publicUrl), token }) };
  }
}
