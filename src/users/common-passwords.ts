import { dictionary } from '@zxcvbn-ts/language-common';

const REFUSED = 3_000;
/** Shorter passwords are refused for their length. */
const MIN_LENGTH = 8;

/** The most common leaked passwords, in lower case. */
const refused = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= MIN_LENGTH).slice(0, REFUSED),
);

/** Whether a password is among the 3,000 most common, ignoring case (NIST SP 800-63B §3.1.1.2). */
export function isCommonPassword(password: string): boolean {
  return refused.has(password.toLowerCase());
}
