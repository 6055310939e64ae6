import { AsyncLocalStorage } from 'node:async_hooks';

import { ConfigService } from '@nestjs/config';

import { Config } from '../config/config.js';
import { ApiError } from '../http/errors/api-error.js';
import { DECOY_HASH, Passwords } from './passwords.js';

it('verifies an unknown user against a decoy hash that costs as much as a real one', async () => {
  const parametersOf = (hash: string): string[] => hash.split('$').slice(0, 4);
  const passwords = new Passwords();
  const hash = await passwords.hash('a password');
  expect(parametersOf(DECOY_HASH)).toEqual(parametersOf(hash));
  expect(await passwords.verify('a password', undefined)).toBe(false);
  expect(await passwords.verify('a password', hash)).toBe(true);
});

describe('the queue of passwords', () => {
  /** With 256 workers, each process has only one thread for passwords, so it processes its queue one by one. */
  const oneByOne = (): Passwords => new Passwords(new ConfigService<Config, true>({ workers: 256 }));

  /** Takes a turn that lasts until `end()` is called. */
  function longTurn(passwords: Passwords): { ended: Promise<string>; end: () => void } {
    let end: () => void = () => undefined;
    const lasting = new Promise<void>((resolve) => (end = resolve));
    return { ended: passwords.verifyWith(() => lasting).then(() => 'done', refusal), end };
  }

  /** Formats an error as its status, its code and its `Retry-After` in seconds. */
  const refusal = (error: unknown): string => {
    const { type, headers } = error as ApiError;
    return `${type.status} ${type.code} ${headers?.['retry-after']}`;
  };

  it('verifies passwords before it hashes passwords that have waited longer', async () => {
    const passwords = oneByOne();
    const { end, ended } = longTurn(passwords);
    const order: string[] = [];
    const note = (name: string) => (): void => void order.push(name);
    const all = [
      passwords.hash('first').then(note('first hash')),
      passwords.hash('second').then(note('second hash')),
      passwords.verify('a password', undefined).then(note('first login')),
      passwords.verify('a password', undefined).then(note('second login')),
    ];
    end();
    await Promise.all([ended, ...all]);
    expect(order).toEqual(['first login', 'second login', 'first hash', 'second hash']);
  });

  it('hashes a waiting password after at most three verifications', async () => {
    const passwords = oneByOne();
    const { end, ended } = longTurn(passwords);
    const order: string[] = [];
    const verified = Array.from({ length: 8 }, (_, i) =>
      passwords.verifyWith(() => Promise.resolve(void order.push('login')), `caller ${i}`),
    );
    const hashed = passwords.hash('a password').then(() => order.push('hash'));
    end();
    await Promise.all([ended, hashed, ...verified]);
    expect(order.indexOf('hash')).toBeLessThanOrEqual(4);
  });

  it('serves callers in turn, however many passwords each has queued', async () => {
    const passwords = oneByOne();
    const { end, ended } = longTurn(passwords);
    const order: string[] = [];
    const turn = (caller: string) =>
      passwords.verifyWith(() => Promise.resolve(void order.push(caller)), caller);
    const all = [...Array.from({ length: 5 }, () => turn('many')), turn('one'), turn('another')];
    end();
    await Promise.all([ended, ...all]);
    expect(order).toEqual(['many', 'one', 'another', 'many', 'many', 'many', 'many']);
  });

  it('refuses only the caller whose own queue would take too long', async () => {
    const passwords = oneByOne();
    const { end, ended } = longTurn(passwords);
    const turn = (caller: string) =>
      passwords.verifyWith(() => Promise.resolve('done'), caller).catch(refusal);
    // Each password is expected to take 50 ms, so a hundred fill the limit of five seconds.
    const many = Array.from({ length: 150 }, () => turn('many'));
    const one = turn('one');
    end();
    await ended;
    expect(await one).toBe('done');
    const outcomes = await Promise.all(many);
    expect(outcomes.filter((outcome) => outcome.startsWith('503 OVERLOADED')).length).toBeGreaterThan(40);
  });

  it('runs queued work in the async context of its own caller', async () => {
    const passwords = oneByOne();
    const context = new AsyncLocalStorage<string>();
    const names = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        context.run(name, () => passwords.verifyWith(() => Promise.resolve(context.getStore()))),
      ),
    );
    expect(names).toEqual(['a', 'b', 'c']);
  });

  it('continues after work that fails', async () => {
    const passwords = oneByOne();
    const failing = passwords.verifyWith(() => Promise.reject(new Error('no database')));
    await expect(failing).rejects.toThrow('no database');
    expect(await passwords.verify('a password', undefined)).toBe(false);
  });

  it('refuses at once if the measured durations predict a wait of more than 5 seconds', async () => {
    jest.useFakeTimers();
    try {
      const passwords = oneByOne();
      // Each turn takes 2 seconds.
      for (let i = 0; i < 60; i++) {
        const { end, ended } = longTurn(passwords);
        await jest.advanceTimersByTimeAsync(2_000);
        end();
        await ended;
      }
      const turns = Array.from({ length: 4 }, () => longTurn(passwords));
      // The first turn is running. The other turns are predicted to wait for 2, 4 and 6 seconds.
      expect(await turns[3]?.ended).toBe('503 OVERLOADED 6');
      turns.forEach(({ end }) => end());
      expect(await Promise.all(turns.slice(0, 3).map(({ ended }) => ended))).toEqual(Array(3).fill('done'));
    } finally {
      jest.useRealTimers();
    }
  });

  it('refuses a password that has waited for 5 seconds, even if the prediction was shorter', async () => {
    jest.useFakeTimers();
    try {
      const passwords = oneByOne();
      const [first, second] = [longTurn(passwords), longTurn(passwords)];
      await jest.advanceTimersByTimeAsync(4_999);
      const hashed = passwords.hash('a password').catch(refusal);
      await jest.advanceTimersByTimeAsync(1);
      expect(await second.ended).toBe('503 OVERLOADED 5');
      await jest.advanceTimersByTimeAsync(5_000);
      expect(await hashed).toBe('503 OVERLOADED 5');
      first.end();
      expect(await first.ended).toBe('done');
    } finally {
      jest.useRealTimers();
    }
  });
});
