import { Injectable } from '@nestjs/common';

import { INVALID_TOKEN } from '../access/access.errors.js';
import { Caller } from '../access/caller.js';
import { EVERYTHING } from '../access/access-scope.js';
import { SqlExecutor } from '../database/sql-executor.js';
import { Database } from '../database/database.js';
import { ApiError } from '../http/errors/api-error.js';
import { AccountEntity } from './account.entity.js';
import { AccountLimits } from './account-limits.js';
import { INVALID_RESET_TOKEN, INVALID_VERIFICATION_TOKEN } from './account.errors.js';
import { AccountsRepository } from './accounts.repository.js';
import { Passwords } from './passwords.js';
import { digestSecret } from './secret.js';
import { AccountMails, TokenPurpose } from './account-mails.js';

const INVALID_TOKEN_ERRORS = {
  passwordReset: INVALID_RESET_TOKEN,
  emailVerification: INVALID_VERIFICATION_TOKEN,
};

/**
 * Lets users set a new password, and confirm their e-mail, by links in mails. A link works once. A new link does not
 * invalidate earlier links.
 *
 * An IP address that sends too many requests gets 429. An account that has received too many links never causes a 429:
 * requests for this account are accepted, but send no mail. Otherwise strangers could cause the requests of the
 * account's owner to fail.
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

  /**
   * Sends the link to set a new password, if the e-mail address belongs to a user. The response time does not reveal
   * whether it does.
   * @throws ApiError `RATE_LIMIT_EXCEEDED`
   */
  async requestPasswordReset(email: string, address: string): Promise<void> {
    await this.limits.countMailsFrom(address);
    await this.mails.sendLink('passwordReset', email, this.database);
  }

  /**
   * Sends the caller the link to confirm their e-mail, if they have not confirmed it yet.
   * @throws ApiError `RATE_LIMIT_EXCEEDED`, or `INVALID_TOKEN` if the user was deleted
   */
  async requestEmailVerification({ userId, address }: Caller): Promise<void> {
    const user = await this.users.find(userId, EVERYTHING);
    if (!user) throw new ApiError(INVALID_TOKEN);
    await this.limits.countMailsFrom(address);
    await this.mails.sendLink('emailVerification', user.email, this.database);
  }

  /**
   * Sets a new password, ends all logins of the user, and notifies the user by mail.
   * @throws ApiError `INVALID_RESET_TOKEN`
   */
  async resetPassword(token: string, password: string): Promise<void> {
    // Check the token first, so that no password is hashed for an invalid token.
    await this.findTokenOwner(token, 'passwordReset', this.database);
    const passwordHash = await this.passwords.hash(password);
    await this.database.transaction(async (tx) => {
      const user = await this.redeem(token, 'passwordReset', tx);
      await this.users.setPasswordHash(user.id, passwordHash, tx);
      // If the e-mail was never confirmed, somebody else may have registered the account. Revoke all API keys, because
      // this person may have created them.
      if (!user.emailVerified) await this.users.revokeKeys(user.id, tx);
      await this.mails.notify('passwordChanged', user, tx);
    });
  }

  /**
   * Marks the e-mail of the token's user as verified.
   * @throws ApiError `INVALID_VERIFICATION_TOKEN`
   */
  verifyEmail(token: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const { id } = await this.redeem(token, 'emailVerification', tx);
      await this.users.update(id, { emailVerified: true }, EVERYTHING, undefined, tx);
    });
  }

  /**
   * Deletes a token, and returns its user. If several requests send the same token, only one of them succeeds. Like all
   * code that deletes tokens, it locks the user first.
   * @throws ApiError `INVALID_RESET_TOKEN` or `INVALID_VERIFICATION_TOKEN`
   */
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

/** Returns an empty buffer for text that does not have the form of a token, so that the look-up finds nothing. */
const tokenDigest = (token: string): Buffer => Buffer.from(digestSecret(token) ?? '', 'hex');
