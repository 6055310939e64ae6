import { ConfigService } from '@nestjs/config';

import { Config } from '../../core/config/config.js';
import { ApiError } from '../../core/http/errors/api-error.js';
import { CounterStorage } from '../../core/http/rate-limit/counter-storage.js';
import { Counter } from '../../core/http/rate-limit/window-counter.js';
import { User } from '../../users/user.entity.js';
import { UsersService } from '../../users/users.service.js';
import { LoginsRepository } from '../sessions/logins.repository.js';
import { LoginLimits } from './login-limits.js';
import { PasswordVerifier } from './password-verifier.js';

const ADA = { id: 7 } as unknown as User;
const EMAIL = 'ada@example.com';
const ADDRESS = '192.0.2.1';
const LIMIT = 3;
const REFUSED = 'RATE_LIMIT_EXCEEDED';

/** Counts, and tells in order what it was asked: each turn is a wait where counts are shared. */
class TellingStorage extends CounterStorage {
  readonly asked: string[] = [];

  override counter(name: string, windowMs: number): Counter {
    const counter = super.counter(name, windowMs);
    const tell = (step: 'hit' | 'peek') => (key: string) => {
      this.asked.push(`${step} ${name}`);
      return counter[step](key);
    };
    return { hit: tell('hit'), peek: tell('peek') };
  }
}

/** As many instances as there are guesses at once, which share their counts: on each, one password is hashed. */
function instances({ isKnown = false } = {}) {
  const logins = { isKnownAddress: () => Promise.resolve(isKnown) } as unknown as LoginsRepository;
  const config = new ConfigService<Config, true>({ loginRateLimit: LIMIT, workers: 1 });
  const storage = new TellingStorage();
  const limits = new LoginLimits(logins, config, storage);
  /** Begins a guess. @returns what ends it, and then its result: `right`, `wrong` or the code of an error */
  const guess = (password: 'right' | 'wrong', address = ADDRESS, email = EMAIL) => {
    let finish: (user: User | null) => void = () => undefined;
    const hashed = new Promise<User | null>((resolve) => (finish = resolve));
    const users = { findByPassword: () => hashed } as unknown as UsersService;
    const result = new PasswordVerifier(users, limits, config).verify(email, password, address).then(
      (user) => (user ? 'right' : 'wrong'),
      (error: unknown) => (error as ApiError).type.code,
    );
    return (): Promise<string> => {
      finish(password === 'right' ? ADA : null);
      return result;
    };
  };
  return {
    asked: storage.asked,
    guess,
    wrong: async (address?: string, email?: string) => guess('wrong', address, email)(),
  };
}

/** Until what was begun is being hashed. */
const begun = () => new Promise((resolve) => setImmediate(resolve));

describe('guesses that are verified at the same time', () => {
  it('are answered up to the limit, and refused past it', async () => {
    const { guess, wrong } = instances();
    expect([await wrong(), await wrong()]).toEqual(['wrong', 'wrong']);
    const [third, fourth] = [guess('wrong'), guess('wrong')];
    await begun();
    expect([await third(), await fourth()]).toEqual(['wrong', REFUSED]);
  });

  it('are refused past the limit where they are right, too', async () => {
    const { guess, wrong } = instances();
    await wrong();
    await wrong();
    const [third, right] = [guess('wrong'), guess('right')];
    await begun();
    expect([await third(), await right()]).toEqual(['wrong', REFUSED]);
  });

  it.each(['right', 'wrong'] as const)(
    'leave the same counts where they are refused, when %s',
    async (password) => {
      const { guess, wrong } = instances();
      const elsewhere = '192.0.2.2';
      const late = guess(password, elsewhere);
      await begun();
      for (let i = 0; i < LIMIT; i++) await wrong();
      expect(await late()).toBe(REFUSED);
      const left: string[] = [];
      for (let i = 0; i < LIMIT; i++) left.push(await wrong(elsewhere, `nobody${i}@example.com`));
      expect(left).toEqual(['wrong', 'wrong', REFUSED]);
    },
  );

  it.each([false, true])(
    'are refused by the same steps, right or wrong, at an address known: %s',
    async (isKnown) => {
      const { asked, guess, wrong } = instances({ isKnown });
      const late = [guess('right'), guess('wrong')];
      await begun();
      for (let i = 0; i < LIMIT; i++) await wrong();
      const steps: string[][] = [];
      for (const result of late) {
        asked.length = 0;
        expect(await result()).toBe(REFUSED);
        steps.push([...asked]);
      }
      expect(steps[0]?.length).toBeGreaterThan(3);
      expect(steps[1]).toEqual(steps[0]);
    },
  );

  it('are let in where they are right and the limit is not reached', async () => {
    const { guess, wrong } = instances();
    await wrong();
    const [second, right] = [guess('wrong'), guess('right')];
    await begun();
    expect([await second(), await right()]).toEqual(['wrong', 'right']);
  });

  it('are let in at an address that is known, whatever the guesses elsewhere', async () => {
    const { guess, wrong } = instances({ isKnown: true });
    const right = guess('right');
    await begun();
    for (let i = 0; i < LIMIT; i++) await wrong('192.0.2.2');
    expect(await right()).toBe('right');
  });
});
