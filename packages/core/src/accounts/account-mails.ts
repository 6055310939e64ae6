import { Injectable } from '@nestjs/common';

import { Connection } from '../database/connection.js';
import { Database } from '../database/database.js';
import { canonicalEmail } from '../fields/email.js';
import { MailTemplates } from '../mail/mail-templates.js';
import { Mail } from '../mail/mail-transport.js';
import { Mails } from '../mail/mails.js';
import { PublicUrl } from '../mail/public-url.js';
import { AccountEntity, accountTable } from './account.entity.js';
import { newSecret } from './secret.js';

/** The purposes of tokens, by the names of the templates, and for how many seconds they are good. */
const LIFE = { passwordReset: 30 * 60, emailVerification: 24 * 3_600 };
export type TokenPurpose = keyof typeof LIFE;

/**
 * Mails to users about their accounts: of one kind and address, one a minute. Nothing that a user has typed is in them,
 * and an address alone decides who gets one.
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
  ) {
    for (const purpose of Object.keys(LIFE) as TokenPurpose[])
      mails.setComposer(purpose, (email) => this.compose(purpose, email));
  }

  /** Sends a link to the user of an e-mail, if there is one: how long that takes does not tell. */
  sendLink(purpose: TokenPurpose, email: string, on: Connection): Promise<void> {
    const canonical = canonicalEmail(email);
    return this.mails.sendComposed(purpose, canonical, on, `${purpose} ${canonical}`);
  }

  /** Tells a user of a change, at the address that they have in `user`. */
  tell(change: 'passwordChanged' | 'emailChanged', user: AccountEntity, on: Connection): Promise<void> {
    const mail = { to: user.email, ...this.templates[change]() };
    return this.mails.send(mail, on, `${change} ${user.canonicalEmail}`);
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
    const values = [email, purpose, Buffer.from(digest, 'hex'), LIFE[purpose]];
    const [user] = await this.database.query<{ email: string }>({ text, values });
    if (!user) return null;
    return { to: user.email, ...this.templates[purpose]({ publicUrl: String(this.publicUrl), token }) };
  }
}
