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
 * Sends users the mails about their accounts: links, and notifications of changes. To prevent abuse, an address gets at
 * most one mail of each kind in a minute, and `AccountLimits` limits the links to an account. A mail goes only to the
 * address of an account, and contains no text from users.
 *
 * Do not use it for mails of your own features: use `Mails` there.
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
   * Sends a link to the user with an e-mail, if the user exists and the limit allows it. It takes the same time in all
   * cases, so that its duration does not reveal whether the user exists.
   */
  async sendLink(purpose: TokenPurpose, email: string, db: SqlExecutor): Promise<void> {
    const canonical = canonicalEmail(email);
    if (await this.limits.mayReceiveMail(canonical, purpose))
      await this.mails.sendComposed(purpose, canonical, db, `${purpose} ${canonical}`);
  }

  /**
   * Notifies a user of a change, at the address in `user`. If the e-mail has changed, pass the user from before the
   * change, so that the owner of the old address learns of it.
   */
  notify(change: 'passwordChanged' | 'emailChanged', user: AccountEntity, tx: SqlExecutor): Promise<void> {
    const mail = { to: user.email, ...this.templates[change]() };
    return this.mails.send(mail, tx, `${change} ${user.canonicalEmail}`);
  }

  /**
   * Issues a token, and makes the mail with its link. The statement locks the user, because a concurrent change, such
   * as a new password, may end the user's tokens. The change then either waits and ends this token too, or is complete
   * before the token is issued.
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
