import { createHash } from 'node:crypto';

import { Injectable, Optional } from '@nestjs/common';

import { Config } from '../../config/config.js';
import { canonicalEmail } from '../../fields/canonical-email.js';
import { ApiError } from '../../http/errors/api-error.js';
import { RATE_LIMIT_EXCEEDED } from '../../http/errors/http.errors.js';
import { addressKey } from '../../http/rate-limit/address-key.js';
import { Count, Counter } from '../../http/rate-limit/counter.js';
import { createCounter } from '../../http/rate-limit/shared-counter.js';
import { RedisConnection } from '../../redis/redis-connection.js';
import { LoginsRepository } from '../sessions/logins.repository.js';

const WINDOW_MS = 15 * 60_000;

/** Somebody who tries a password. */
export interface Attempt {
  readonly email: string;
  readonly address: string;
}

/**
 * Bounds the guessing of passwords: failures are counted by account and by address. An address that has logged in
 * to the account before is not locked out of it by the failures of others; its own count.
 */
@Injectable()
export class LoginLimits {
  private readonly limit: number;
  private readonly accounts: Counter;
  private readonly addresses: Counter;

  constructor(
    private readonly logins: LoginsRepository,
    { loginRateLimit }: Config,
    @Optional() redis?: RedisConnection,
  ) {
    this.limit = loginRateLimit;
    this.accounts = createCounter('login-account', WINDOW_MS, redis);
    this.addresses = createCounter('login-address', WINDOW_MS, redis);
  }

  /** @throws ApiError `RATE_LIMIT_EXCEEDED` where no more passwords are tried for this account or address */
  async check({ email, address }: Attempt): Promise<void> {
    const ofAddress = await this.addresses.peek(addressKey(address));
    if (ofAddress.hits >= this.limit) throw exceeded(ofAddress, 'from this address');
    const ofAccount = await this.accounts.peek(accountKey(email));
    if (ofAccount.hits < this.limit) return;
    if (await this.logins.isKnownAddress(email, addressKey(address))) return;
    throw exceeded(ofAccount, 'for this account');
  }

  /** Counts a wrong password. */
  async failed({ email, address }: Attempt): Promise<void> {
    await this.addresses.hit(addressKey(address));
    await this.accounts.hit(accountKey(email));
  }
}

/** Of one length, however long the text that was sent as an e-mail. */
function accountKey(email: string): string {
  return createHash('sha256').update(canonicalEmail(email)).digest('base64url');
}

function exceeded({ msLeft }: Count, where: string): ApiError {
  const seconds = Math.ceil(msLeft / 1000);
  const message = `Too many failed logins ${where}; wait ${seconds} seconds.`;
  return new ApiError(RATE_LIMIT_EXCEEDED, message, { headers: { 'retry-after': String(seconds) } });
}
