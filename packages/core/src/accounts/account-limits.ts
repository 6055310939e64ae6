import { hash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { Config } from '../config/config.js';
import { canonicalEmail } from '../fields/email.js';
import { addressKey } from '../http/rate-limit/address-key.js';
import { Counter } from '../http/rate-limit/counter.js';
import { CounterStorage } from '../http/rate-limit/counter-storage.js';
import { tooManyRequests } from '../http/rate-limit/limit-headers.js';

const WINDOW_MS = 15 * 60_000;
/**
 * The number of registrations that one IP address may send, as a multiple of `LOGIN_RATE_LIMIT`. It is more than 1,
 * because several people may share an address.
 */
const REGISTRATION_LIMIT_FACTOR = 3;

/**
 * Limits three things within 15 minutes: the users that an IP address registers, the mails that its requests cause, and
 * the mails that an account receives. All limits are multiples of `LOGIN_RATE_LIMIT`. With `REDIS_URL`, all instances
 * share the counts.
 *
 * Do not use it to limit other routes: use `@Throttle()` instead.
 * @example constructor(users: UsersRepository, mails: AccountMails, limits: AccountLimits) {}
 */
@Injectable()
export class AccountLimits {
  private readonly limit = this.config.get('loginRateLimit', { infer: true });
  private readonly registrations = this.storage.counter('registration-address', WINDOW_MS);
  private readonly addresses = this.storage.counter('recovery-address', WINDOW_MS);
  private readonly recipients = this.storage.counter('recovery-account', WINDOW_MS);
  private readonly changes = this.storage.counter('email-change-account', WINDOW_MS);

  constructor(
    private readonly storage: CounterStorage,
    private readonly config: ConfigService<Config, true>,
  ) {}

  /**
   * Counts a registration.
   * @throws ApiError `RATE_LIMIT_EXCEEDED` if the IP address exceeds three times `LOGIN_RATE_LIMIT`
   */
  countRegistration(address: string): Promise<void> {
    const most = REGISTRATION_LIMIT_FACTOR * this.limit;
    return this.count(this.registrations, addressKey(address), 'Too many users were registered', most);
  }

  /**
   * Counts a mail that a request from an IP address causes.
   * @returns whether the IP address is within the limit
   */
  async mayCauseMails(address: string): Promise<boolean> {
    return (await this.addresses.hit(addressKey(address))).hits <= this.limit;
  }

  /**
   * Like `mayCauseMails()`, but throws an error if the IP address exceeds the limit.
   * @throws ApiError `RATE_LIMIT_EXCEEDED`
   */
  countMailsFrom(address: string): Promise<void> {
    return this.count(this.addresses, addressKey(address), 'Too many mails were requested');
  }

  /**
   * Counts a change of a user's e-mail.
   * @throws ApiError `RATE_LIMIT_EXCEEDED` if the user or the IP address exceeds the limit
   */
  async countEmailChange(userId: number, address: string): Promise<void> {
    await this.count(this.changes, String(userId), 'The e-mail was changed too often');
    await this.countMailsFrom(address);
  }

  /**
   * Counts a mail to an account. Each purpose has its own count. Otherwise anybody could request password resets for an
   * account until it may no longer receive other mails.
   * @returns whether the account is within the limit
   */
  async mayReceiveMail(email: string, purpose: string): Promise<boolean> {
    // Use a digest, so that keys have a fixed length, however long the e-mail is.
    const key = `${purpose} ${hash('sha256', canonicalEmail(email), 'base64url')}`;
    return (await this.recipients.hit(key)).hits <= this.limit;
  }

  private async count(counter: Counter, key: string, what: string, most = this.limit): Promise<void> {
    const { hits, msLeft } = await counter.hit(key);
    if (hits > most) throw tooManyRequests(what, msLeft);
  }
}
