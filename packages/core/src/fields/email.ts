import { domainToASCII } from 'node:url';

import { hasAtMostCharacters } from './rules.js';

/** The longest address. A path has at most 256 octets, including its angle brackets (RFC 5321 §4.5.3.1.3). */
export const MAX_EMAIL_LENGTH = 254;

/** Matches a part of a dot-string (RFC 5321 §4.1.2, RFC 6531 §3.3). */
const ATOM = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+$/u;
/** Matches a label of a domain. Letters may have marks, as in Hindi. */
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;
/** Matches characters that are invisible: control, zero-width and bidirectional characters, blanks and others. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** The longest part before the `@` (RFC 5321 §4.5.3.1.1). */
const MAX_LOCAL_BYTES = 64;
/** Matches a label in its ASCII form (RFC 5890 §2.3.2.1, RFC 1035 §2.3.4). */
const ASCII_LABEL = /^[a-z0-9-]{1,63}$/;

/**
 * Whether text is an e-mail address: a dot-string of at most 64 bytes, `@`, and a domain whose labels have at most 63
 * characters, also in their ASCII form (RFC 5321 §4.1.2).
 */
export function isEmail(text: string): boolean {
  // The length is checked first, so that the patterns run only on short text.
  if (!hasAtMostCharacters(MAX_EMAIL_LENGTH, text)) return false;
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  return (
    at > 0 &&
    Buffer.byteLength(local) <= MAX_LOCAL_BYTES &&
    !INVISIBLE.test(text) &&
    local.split('.').every((atom) => ATOM.test(atom)) &&
    domain.split('.').every((label) => LABEL.test(label)) &&
    asciiDomain(domain)
      .split('.')
      .every((label) => ASCII_LABEL.test(label))
  );
}

/**
 * Returns the ASCII form of a domain (UTS #46), in lower case. Without an ASCII form, returns the domain in lower case.
 */
const asciiDomain = (domain: string): string => domainToASCII(domain) || domain.toLowerCase();

/**
 * Returns the form in which e-mail addresses are compared: NFC, in lower case, without a final sigma, and with the
 * domain in its ASCII form. Never compute this form in SQL, because JavaScript and PostgreSQL convert `İ` to different
 * letters.
 * @example canonicalEmail('Ada@München.de') // 'ada@xn--mnchen-3ya.de'
 */
export function canonicalEmail(email: string): string {
  // Conversion to lower case can decompose a character, so the text is normalized again. Sigma has a second lower-case
  // letter for the end of a word. It is replaced, so that `οδος` and `οδοσ` are the same.
  const text = email.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
  const at = text.lastIndexOf('@');
  return at < 0 ? text : text.slice(0, at + 1) + asciiDomain(text.slice(at + 1));
}
