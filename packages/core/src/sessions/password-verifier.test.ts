import { ConfigService } from '@nestjs/config';

import { AccountsRepository } from '../accounts/accounts.repository.js';
import { Passwords } from '../accounts/passwords.js';
import { Config } from '../config/config.js';
import { ApiError } from '../http/errors/api-error.js';
import { CounterStorage } from '../http/rate-limit/counter-storage.js';
import { LoginsRepository } from './logins.repository.js';
import { PasswordVerifier } from './password-verifier.js';

// Each test double has only the members that the verifier uses, so it needs a cast. A test decides when the
// verification of a password is complete.
const ACCOUNTS = { findCredentials: () => Promise.resolve({ id: 7 }) } as unknown as AccountsRepository;
const EMAIL = 'ada@example.com';
const ADDRESS = '192.0.2.1';
const LIMIT = 3;
const REFUSED = 'RATE_LIMIT_EXCEEDED';

/**
 * Returns functions that guess passwords. Each guess uses a new `PasswordVerifier`, as if it came to another instance
 * of the service, because one instance may hash only one password at a time. All verifiers share their counts.
 */
function instances({ isKnown = false } = {}) {
  const logins = {
    isKnownAddress: () => Promise.resolve(isKnown),
    rememberAddress: () => Promise.resolve(),
  } as unknown as LoginsRepository;
  const config = new ConfigService<Config, true>({ loginRateLimit: LIMIT, workers: 1 });
  const storage = new CounterStorage();
  /**
   * Begins a guess. Returns a function that ends it and returns its result: `right`, `wrong` or the code of
   * an error.
   */
  const guess = (password: 'right' | 'wrong', address = ADDRESS, email = EMAIL) => {
    let finish: (isRight: boolean) => void = () => undefined;
    const hashed = new Promise<boolean>((resolve) => (finish = resolve));
    const passwords = {
      verifyWith: (work: (matches: () => Promise<boolean>) => unknown) => work(() => hashed),
    } as unknown as Passwords;
    const verifier = new PasswordVerifier(ACCOUNTS, passwords, logins, storage, config);
    const result = verifier.verify(email, password, address).then(
      (user) => (user ? 'right' : 'wrong'),
      (error: unknown) => (error as ApiError).type.code,
    );
    return (): Promise<string> => {
      finish(password === 'right');
      return result;
    };
  };
  return {
    guess,
    wrong: async (address?: string, email?: string) => guess('wrong', address, email)(),
  };
}

/** Waits until the passwords of all guesses are being verified. */
const begun = () => new Promise((resolve) => setImmediate(resolve));

describe('concurrent guesses of a password', () => {
  it('are verified up to the limit and refused beyond it', async () => {
    const { guess, wrong } = instances();
    expect([await wrong(), await wrong()]).toEqual(['wrong', 'wrong']);
    const [third, fourth] = [guess('wrong'), guess('wrong')];
    await begun();
    expect([await third(), await fourth()]).toEqual(['wrong', REFUSED]);
  });

  it('are refused beyond the limit even if they are right', async () => {
    const { guess, wrong } = instances();
    await wrong();
    await wrong();
    const [third, right] = [guess('wrong'), guess('right')];
    await begun();
    expect([await third(), await right()]).toEqual(['wrong', REFUSED]);
  });

  it('succeed if they are right and the limit is not reached', async () => {
    const { guess, wrong } = instances();
    await wrong();
    const [second, right] = [guess('wrong'), guess('right')];
    await begun();
    expect([await second(), await right()]).toEqual(['wrong', 'right']);
  });

  it('succeed at an address of an earlier login, however many guesses come from other addresses', async () => {
    const { guess, wrong } = instances({ isKnown: true });
    const right = guess('right');
    await begun();
    for (let i = 0; i < LIMIT; i++) await wrong('192.0.2.2');
    expect(await right()).toBe('right');
  });
});
