import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';

import { ApiError, canonicalEmail, Config } from '../../core/index.js';
import { addressKey, Count, Counter, CounterStorage, RATE_LIMIT_EXCEEDED } from '../../core/auth.js';
import { LoginsRepository } from '../sessions/logins.repository.js';

const WINDOW_MS = 15 * 60_000;

/** An attempt to log in. */
export interface Attempt {
  readonly email: string;
  readonly address: string;
}

interface CountsOfAttempt {
  readonly ofAddress: Count;
  readonly ofAccount: Count;
  /** Asked for only where it decides. */
  readonly ofPair: () => Count | Promise<Count>;
}

/**
 * Limits guessing of passwords. Failures are counted per account and per address. For an account at an address that
 * has logged in to it before, only the failures of this account at this address count: the failures of others, at
 * other addresses or behind the same one, do not lock its user out.
 */
@Injectable()
export class LoginLimits {
  private readonly limit: number;
  private readonly accounts: Counter;
  private readonly addresses: Counter;
  private readonly pairs: Counter;

  constructor(
    private readonly logins: LoginsRepository,
    config: ConfigService<Config, true>,
    storage: CounterStorage,
  ) {
    this.limit = config.get('loginRateLimit', { infer: true });
    this.accounts = storage.counter('login-account', WINDOW_MS);
    this.addresses = storage.counter('login-address', WINDOW_MS);
    this.pairs = storage.counter('login-account-at-address', WINDOW_MS);
  }

  /** @throws ApiError `RATE_LIMIT_EXCEEDED` while no more passwords are verified for this account or address */
  async check(attempt: Attempt): Promise<void> {
    const { account, address, pair } = keysOf(attempt);
    const [ofAddress, ofAccount] = await Promise.all([
      this.addresses.peek(address),
      this.accounts.peek(account),
    ]);
    const isOver = ({ hits }: Count): boolean => hits >= this.limit;
    await this.refuse(attempt, { ofAddress, ofAccount, ofPair: () => this.pairs.peek(pair) }, isOver);
  }

  /**
   * Counts a wrong password.
   *
   * @throws ApiError `RATE_LIMIT_EXCEEDED` where others that were verified at the same time have reached the limit
   */
  async failed(attempt: Attempt): Promise<void> {
    await this.lookAgain(attempt);
    const { ofAddress, ofAccount, ofPair } = await this.count(attempt);
    const isOver = ({ hits }: Count): boolean => hits > this.limit;
    await this.refuse(attempt, { ofAddress, ofAccount, ofPair: () => ofPair }, isOver);
  }

  /**
   * Looks again after a right password.
   *
   * @throws ApiError `RATE_LIMIT_EXCEEDED` where others that were verified at the same time have reached the limit
   */
  async succeeded(attempt: Attempt): Promise<void> {
    await this.lookAgain(attempt);
  }

  /** Refuses right and wrong passwords alike: in what they leave counted, and in what is waited for. */
  private async lookAgain(attempt: Attempt): Promise<void> {
    try {
      await this.check(attempt);
    } catch (error) {
      await this.count(attempt);
      throw error;
    }
  }

  private async count(attempt: Attempt): Promise<Record<'ofAddress' | 'ofAccount' | 'ofPair', Count>> {
    const { account, address, pair } = keysOf(attempt);
    const [ofAddress, ofAccount, ofPair] = await Promise.all([
      this.addresses.hit(address),
      this.accounts.hit(account),
      this.pairs.hit(pair),
    ]);
    return { ofAddress, ofAccount, ofPair };
  }

  private async refuse(
    { email, address }: Attempt,
    { ofAddress, ofAccount, ofPair }: CountsOfAttempt,
    isOver: (count: Count) => boolean,
  ): Promise<void> {
    if (!isOver(ofAddress) && !isOver(ofAccount)) return;
    const isKnown = await this.logins.isKnownAddress(email, address);
    const decisive = isKnown ? await ofPair() : undefined;
    if (decisive && !isOver(decisive)) return;
    if (isOver(ofAddress)) throw exceeded(decisive ?? ofAddress, 'from this address');
    throw exceeded(decisive ?? ofAccount, 'for this account');
  }
}

/** The keys of the counters. They are of fixed length, however long an e-mail was sent. */
function keysOf({ email, address }: Attempt): { account: string; address: string; pair: string } {
  const account = createHash('sha256').update(canonicalEmail(email)).digest('base64url');
  const key = addressKey(address);
  return { account, address: key, pair: `${account} ${key}` };
}

function exceeded({ msLeft }: Count, where: string): ApiError {
  const seconds = Math.ceil(msLeft / 1000);
  const message = `Too many failed logins ${where}; wait ${seconds} seconds.`;
  return new ApiError(RATE_LIMIT_EXCEEDED, message, { headers: { 'retry-after': String(seconds) } });
}
