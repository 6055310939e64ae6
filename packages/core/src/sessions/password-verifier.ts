import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { AccountEntity } from '../accounts/account.entity.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { Passwords } from '../accounts/passwords.js';
import { Config } from '../config/config.js';
import { canonicalEmail } from '../fields/email.js';
import { addressKey } from '../http/rate-limit/address-key.js';
import { Count } from '../http/rate-limit/counter.js';
import { CounterStorage } from '../http/rate-limit/counter-storage.js';
import { tooManyRequests } from '../http/rate-limit/limit-headers.js';
import { LoginsRepository } from './logins.repository.js';

const WINDOW_MS = 15 * 60_000;

/**
 * Verifies passwords for logins and for Basic, and limits guessing. It counts failed attempts per account and per IP
 * address.
 *
 * With only these two limits, anybody could lock a user out by sending wrong passwords. Therefore a third count applies
 * instead at an address from which the user has logged in before. It counts only failed attempts for this account from
 * this address.
 * @example const user = await this.verifier.verify(email, password, request.ip);
 */
@Injectable()
export class PasswordVerifier {
  private readonly limit = this.config.get('loginRateLimit', { infer: true });
  private readonly accounts = this.storage.counter('login-account', WINDOW_MS);
  private readonly addresses = this.storage.counter('login-address', WINDOW_MS);
  private readonly accountAtAddress = this.storage.counter('login-account-at-address', WINDOW_MS);

  constructor(
    private readonly users: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly logins: LoginsRepository,
    private readonly storage: CounterStorage,
    private readonly config: ConfigService<Config, true>,
  ) {}

  /**
   * Returns the user with an e-mail and a password, or `null` if the e-mail or the password is wrong. Neither the
   * result nor the duration reveals which of the two is wrong.
   * @throws ApiError `RATE_LIMIT_EXCEEDED`
   */
  async verify(email: string, password: string, address: string): Promise<AccountEntity | null> {
    // Check the limits before the wait for a turn, and again after it. If many attempts wait, the second check rejects
    // the attempts that exceed a limit by then.
    await this.assertWithinLimits(0, email, address);
    const verified = await this.passwords.verifyWith(async (matches) => {
      await this.assertWithinLimits(0, email, address);
      const user = await this.users.findCredentials(email);
      const isRight = await matches(password, user?.passwordHash);
      // Check again, because other attempts were verified in the meantime. If a limit is exceeded now, do not reveal
      // whether the password was right.
      await this.assertWithinLimits(isRight ? 0 : 1, email, address);
      return user && isRight ? user : null;
    }, addressKey(address));
    // Without the primary nothing can be written, but the password is right.
    if (verified) await this.logins.rememberAddress(verified.id, address).catch(() => undefined);
    return verified;
  }

  /**
   * Checks the counts of failed attempts. If the current attempt has failed, counts it first.
   * @param added 1 if the current attempt has failed, otherwise 0
   * @throws ApiError `RATE_LIMIT_EXCEEDED` if a count had already reached the limit before the current attempt
   */
  private async assertWithinLimits(added: 0 | 1, email: string, address: string): Promise<void> {
    const bound = this.limit + added;
    // Use a digest, so that keys have a fixed length, however long the e-mail is.
    const account = hash('sha256', canonicalEmail(email), 'base64url');
    const place = addressKey(address);
    const [ofAddress, ofAccount, ofPair] = await Promise.all([
      this.addresses.hit(place, added),
      this.accounts.hit(account, added),
      this.accountAtAddress.hit(`${account} ${place}`, added),
    ]);
    const isOver = ({ hits }: Count): boolean => hits >= bound;
    if (!isOver(ofAddress) && !isOver(ofAccount)) return;
    const isKnown = await this.logins.isKnownAddress(email, address);
    if (isKnown && !isOver(ofPair)) return;
    const [count, where] = isOver(ofAddress)
      ? [ofAddress, 'from this address']
      : [ofAccount, 'for this account'];
    throw tooManyRequests(`Too many failed logins ${where}`, (isKnown ? ofPair : count).msLeft);
  }
}
