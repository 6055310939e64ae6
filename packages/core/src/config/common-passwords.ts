import { dictionary } from '@zxcvbn-ts/language-common';

import { PRODUCT } from './product.js';

/** The 3,000 most common leaked passwords that are long enough to be accepted, in lower case. */
const COMMON_PASSWORDS = new Set(
  dictionary['passwords-common'].filter(({ length }) => length >= 8).slice(0, 3_000),
);

/**
 * Whether a password is among the most common, ignoring case (NIST SP 800-63B §3.1.1.2).
 * @example isCommonPassword('Password1') // true
 */
export const isCommonPassword = (password: string): boolean => COMMON_PASSWORDS.has(password.toLowerCase());

/** Words of careless passwords. They may be joined, and followed by up to 4 digits and a sign. */
const OBVIOUS_WORDS =
  'admin(istrator)?|root|user|password|passwd|passwort|secret|default|example|change(me|it)|welcome|letmein|test';
const OBVIOUS_PASSWORD = new RegExp(`^((${OBVIOUS_WORDS}|${PRODUCT.slug})[\\W_]?)+\\d{0,4}[\\W_]?$`, 'i');

/**
 * Whether a password is common, or among those that attackers try first for the administrator of this product.
 * @example isObviousPassword('Plinth-Admin1') // true
 */
export const isObviousPassword = (password: string): boolean =>
  isCommonPassword(password) || OBVIOUS_PASSWORD.test(password);
