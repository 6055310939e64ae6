import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { AccountEntity } from '../accounts/account.entity.js';
import { AccountsRepository } from '../accounts/accounts.repository.js';
import { Passwords } from '../accounts/passwords.js';
import { Config } from '../config/config.js';
import { canonicalEmail } from '../fields/email.js';
import { Count, CounterStorage } from '../http/rate-limit/counter-storage.js';
import { addressKey, tooManyRequests } from '../http/rate-limit/rate-limit.js';
import { LoginsRepository } from './logins.repository.js';

const WINDOW_MS = 15 * 60_000;

/**
 * Verifies passwords for logins and for Basic, and limits guessing. It counts failures per account and per address. If the
 * account's password was right at the address before, only the failures of this account at this address count, so that
 * others, at any address, cannot lock the user out.
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
   * Returns the user of an e-mail and password, or `null`. Neither the result nor the duration reveals which one is wrong.
   * @throws ApiError `RATE_LIMIT_EXCEEDED`
   */
  async verify(email: string, password: string, address: string): Promise<AccountEntity | null> {
    // Checked before and after waiting, so that attempts beyond the limit are not verified if many wait.
    await this.assertWithinLimits(0, email, address);
    const verified = await this.passwords.verifyWith(async (matches) => {
      await this.assertWithinLimits(0, email, address);
      const user = await this.users.findCredentials(email);
      const isRight = await matches(password, user?.passwordHash);
      // Other attempts were verified in the meantime. Beyond the limit, the result stays secret.
      await this.assertWithinLimits(isRight ? 0 : 1, email, address);
      return user && isRight ? user : null;
    }, addressKey(address));
    if (verified) await this.logins.rememberAddress(verified.id, address);
    return verified;
  }

  /** @throws ApiError `RATE_LIMIT_EXCEEDED` if a count that decides has reached the limit, or exceeds it with this failure */
  private async assertWithinLimits(added: 0 | 1, email: string, address: string): Promise<void> {
    const bound = this.limit + added;
    // A digest, so that keys have a fixed length, however long the e-mail is.
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
