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

/** How long tokens are valid, in seconds, by purpose. A purpose is the name of a mail template. */
const TTL_SECONDS = { passwordReset: 30 * 60, emailVerification: 24 * 3_600 };
export type TokenPurpose = keyof typeof TTL_SECONDS;

/**
 * Sends users the mails about their accounts: links, and notifications of changes. To prevent abuse, an account
 * receives at most one mail of each kind per minute, and `AccountLimits` limits how many links it receives. Mails go
 * only to the e-mail addresses of accounts, and contain no text that a user wrote.
 *
 * Do not use it for mails of your own features: use `Mails` instead.
 * @example await this.accountMails.notify('emailChanged', before, tx);
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

  /**
   * Sends a link to the user with an e-mail, if such a user exists and has not received too many links. The duration is
   * the same if no such user exists, so that it does not reveal who has an account.
   */
  async sendLink(purpose: TokenPurpose, email: string, db: SqlExecutor): Promise<void> {
    const canonical = canonicalEmail(email);
    if (await this.limits.mayReceiveMail(canonical, purpose))
      await this.mails.sendComposed(purpose, canonical, db, `${purpose} ${canonical}`);
  }

  /**
   * Notifies a user of a change. The mail goes to `user.email`. After a change of the e-mail, pass the user as it was
   * before, so that the old address gets the notification.
   */
  notify(change: 'passwordChanged' | 'emailChanged', user: AccountEntity, tx: SqlExecutor): Promise<void> {
    const mail = { to: user.email, ...this.templates[change]() };
    return this.mails.send(mail, tx, `${change} ${user.canonicalEmail}`);
  }

  /**
   * Stores a new token, and returns the mail with its link. Returns `null` if no user needs the mail.
   *
   * The statement locks the user, because a concurrent change, such as a new password, deletes the tokens of the user.
   * With the lock, there are two cases. Either the change waits, and then deletes this token too. Or the change is
   * complete before the token is stored.
   */
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
