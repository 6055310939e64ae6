import { availableParallelism } from 'node:os';

import { Injectable } from '@nestjs/common';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { dictionary } from '@zxcvbn-ts/language-common';
import { mergeMap, Subject } from 'rxjs';

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
const ARGON2ID = {
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

/** The 3,000 most common leaked passwords of a length that is taken, in lower case. */
const COMMON = new Set(dictionary['passwords-common'].filter(({ length }) => length >= 8).slice(0, 3_000));

/**
 * Whether a password is among the most common, ignoring case (NIST SP 800-63B §3.1.1.2).
 * @example isCommonPassword('Password1') // true
 */
export const isCommonPassword = (password: string): boolean => COMMON.has(password.toLowerCase());

/** Runs works in the order in which they come, at most `n` at once. */
export function limitTo(n: number): <T>(work: () => Promise<T>) => Promise<T> {
  const works = new Subject<() => Promise<void>>();
  works.pipe(mergeMap((work) => work(), n)).subscribe();
  return (work) =>
    new Promise((resolve, reject) => {
      works.next(() => Promise.resolve().then(work).then(resolve, reject));
    });
}

/**
 * Hashes and verifies passwords, exactly as they were received. Leaves a core to other requests.
 * @example const passwordHash = await this.passwords.hash(body.password);
 */
@Injectable()
export class Passwords {
  private readonly limit = limitTo(Math.max(1, availableParallelism() - 1));
  private decoy: string | undefined;

  hash(password: string): Promise<string> {
    return this.limit(() => hash(password, ARGON2ID));
  }

  /** Whether a password matches a hash. Without a hash it takes as long: that does not tell whether a user exists. */
  async verify(password: string, stored: string | undefined): Promise<boolean> {
    const decoy = (this.decoy ??= await this.hash('there is no such user'));
    const isRight = await this.limit(() => verify(stored ?? decoy, password));
    return stored !== undefined && isRight;
  }
}
