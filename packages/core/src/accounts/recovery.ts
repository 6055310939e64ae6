import { Injectable } from '@nestjs/common';

import { INVALID_TOKEN } from '../access/access.errors.js';
import { Caller } from '../access/caller.js';
import { EVERYTHING } from '../access/access-scope.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { Database } from '../database/database.js';
import { canonicalEmail } from '../fields/email.js';
import { ApiError } from '../http/errors/api-error.js';
import { MailTemplates } from '../mail/mail-templates.js';
import { Mail } from '../mail/mail-transport.js';
import { Mails } from '../mail/mails.js';
import { PublicUrl } from '../mail/public-url.js';
import { AccountEntity, accountTable } from './account.entity.js';
import { AccountLimits } from './account-limits.js';
import { INVALID_RESET_TOKEN, INVALID_VERIFICATION_TOKEN } from './account.errors.js';
import { AccountsRepository } from './accounts.repository.js';
import { Passwords } from './passwords.js';
import { digestSecret, newSecret } from './secret.js';

/** The purposes of tokens, by the names of the templates, and for how many seconds they are good. */
const TTL_SECONDS = { passwordReset: 30 * 60, emailVerification: 24 * 3_600 };
type TokenPurpose = keyof typeof TTL_SECONDS;

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

const INVALID_TOKEN_ERRORS = {
  passwordReset: INVALID_RESET_TOKEN,
  emailVerification: INVALID_VERIFICATION_TOKEN,
};

/**
 * New passwords and proofs of e-mails, by links in mails. Requests are limited per address by 429; past the limit of an
 * account they are accepted and send nothing, so that strangers cannot keep its owner from recovery. A link works once;
 * one that is sent later leaves those before it good.
 * @example await this.recovery.requestPasswordReset(body.email, request.ip);
 */
@Injectable()
export class Recovery {
  constructor(
    private readonly mails: AccountMails,
    private readonly users: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly database: Database,
    private readonly limits: AccountLimits,
  ) {}

  /** Takes as long whether there is such a user or not. @throws ApiError `RATE_LIMIT_EXCEEDED` */
  async requestPasswordReset(email: string, address: string): Promise<void> {
    await this.limits.countMailsFrom(address);
    await this.mails.sendLink('passwordReset', email, this.database);
  }

  /** Sends nothing where the e-mail is verified. @throws ApiError `RATE_LIMIT_EXCEEDED` */
  async requestEmailVerification({ userId, address }: Caller): Promise<void> {
    const user = await this.users.find(userId, EVERYTHING);
    if (!user) throw new ApiError(INVALID_TOKEN);
    await this.limits.countMailsFrom(address);
    await this.mails.sendLink('emailVerification', user.email, this.database);
  }

  /** Sets a new password, ends all logins, and tells the user. @throws ApiError `INVALID_RESET_TOKEN` */
  async resetPassword(token: string, password: string): Promise<void> {
    // First, so that no password is hashed for a token that is not good.
    await this.findTokenOwner(token, 'passwordReset', this.database);
    const passwordHash = await this.passwords.hash(password);
    await this.database.transaction(async (tx) => {
      const user = await this.redeem(token, 'passwordReset', tx);
      await this.users.setPasswordHash(user.id, passwordHash, tx);
      // Nobody had proved that the e-mail is theirs: who registered it may be somebody else, and keeps no key.
      if (!user.emailVerified) await this.users.revokeKeys(user.id, tx);
      await this.mails.notify('passwordChanged', user, tx);
    });
  }

  /** @throws ApiError `INVALID_VERIFICATION_TOKEN` */
  verifyEmail(token: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const { id } = await this.redeem(token, 'emailVerification', tx);
      await this.users.update(id, { emailVerified: true }, EVERYTHING, undefined, tx);
    });
  }

  /** Uses a token up: of several who do so at once, one does. The user is locked first, as by whoever ends tokens. */
  private async redeem(token: string, purpose: TokenPurpose, tx: SqlExecutor): Promise<AccountEntity> {
    const [user] = await this.users.lockAll([await this.findTokenOwner(token, purpose, tx)], false, tx);
    const text = 'delete from account_tokens where digest = $1 returning digest';
    const removed = await tx.query({ text, values: [tokenDigest(token)] });
    if (!user || removed.length === 0) throw new ApiError(INVALID_TOKEN_ERRORS[purpose]);
    return user;
  }

  private async findTokenOwner(token: string, purpose: TokenPurpose, db: SqlExecutor): Promise<number> {
    const text = `
      select user_id as "userId" from account_tokens
      where digest = $1 and purpose = $2 and expires_at > clock_timestamp()`;
    const [found] = await db.query<{ userId: number }>({ text, values: [tokenDigest(token), purpose] });
    if (!found) throw new ApiError(INVALID_TOKEN_ERRORS[purpose]);
    return found.userId;
  }
}

/** Of a text that has not the form of a token, those of none. */
const tokenDigest = (token: string): Buffer => Buffer.from(digestSecret(token) ?? '', 'hex');
