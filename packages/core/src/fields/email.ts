import { domainToASCII } from 'node:url';

import { hasAtMostCharacters } from './rules.js';

/** A path has at most 256 octets, including its brackets (RFC 5321 §4.5.3.1.3). */
export const MAX_EMAIL_LENGTH = 254;

/** Matches a part of a dot-string (RFC 5321 §4.1.2, RFC 6531 §3.3). */
const ATOM = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+$/u;
/** Matches a label of a domain. Letters may have marks, as in Hindi. */
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;
/** Matches characters that are invisible: control, zero-width and bidirectional characters, blanks and others. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** RFC 5321 §4.5.3.1.1. */
const MAX_LOCAL_BYTES = 64;
/** Matches a label in its ASCII form (RFC 5890 §2.3.2.1, RFC 1035 §2.3.4). */
const ASCII_LABEL = /^[a-z0-9-]{1,63}$/;

/**
 * Whether text is an e-mail address: a dot-string of at most 64 bytes, `@`, and a domain whose labels have at most 63
 * characters, also in their ASCII form (RFC 5321 §4.1.2).
 */
export function isEmail(text: string): boolean {
  // Checked first, so that the patterns only run on short text.
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

/** The ASCII form of a domain (UTS #46), in lower case. A domain without one is only lower-cased. */
const asciiDomain = (domain: string): string => domainToASCII(domain) || domain.toLowerCase();

/**
 * The form in which e-mail addresses are compared: NFC, lower case, without a final sigma, and with the domain in its ASCII
 * form. Only this function computes it, because JavaScript and PostgreSQL disagree on `İ`.
 * @example canonicalEmail('Ada@München.de') // 'ada@xn--mnchen-3ya.de'
 */
export function canonicalEmail(email: string): string {
  // Lower-casing can decompose a character, so the text is normalized again.
  // A final sigma has a lower-case letter of its own: `ΟΔΟΣ` and `οδοσ` are the same.
  const text = email.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
  const at = text.lastIndexOf('@');
  return at < 0 ? text : text.slice(0, at + 1) + asciiDomain(text.slice(at + 1));
}
