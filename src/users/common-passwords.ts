import { dictionary } from '@zxcvbn-ts/language-common';

const REFUSED = 3_000;
/** Shorter ones are refused for their length. */
const MIN_LENGTH = 8;

/** The commonest passwords of those that leaked, most common first, in lower case. */
const refused = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= MIN_LENGTH).slice(0, REFUSED),
);

/** Whether a password is among the 3,000 that are tried first, in whatever case (NIST SP 800-63B §3.1.1.2). */
export function isCommonPassword(password: string): boolean {
  return refused.has(password.toLowerCase());
}
