import { hasAtMost } from './rules.js';

/** RFC 5321 §4.5.3.1.3: a path is 256 octets, its brackets among them. */
export const MAX_EMAIL_LENGTH = 254;

/** A part of a dot-string (RFC 5321 §4.1.2, RFC 6531 §3.3). */
const ATOM = /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+$/u;
/** A label of a domain; letters may carry marks, as those of Hindi do. */
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;
/** Control, zero-width and bidirectional characters, blanks, and others that nobody can see. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** Whether text is an address: a dot-string, `@` and a domain of labels of up to 63 characters (RFC 5321 §4.1.2). */
export function isEmail(text: string): boolean {
  // The length is judged first: patterns are only run on short text.
  if (!hasAtMost(MAX_EMAIL_LENGTH, text)) return false;
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  return (
    at > 0 &&
    !UNSEEN.test(text) &&
    local.split('.').every((atom) => ATOM.test(atom)) &&
    domain.split('.').every((label) => LABEL.test(label))
  );
}

/**
 * The form in which e-mail addresses are compared: NFC, lower case. JavaScript and PostgreSQL disagree on `İ`.
 * @example canonicalEmail('Ada@Example.com') // 'ada@example.com'
 */
export function canonicalEmail(email: string): string {
  // Lower-casing can take a character apart: composed again, the form is its own canonical form.
  return email.normalize('NFC').toLowerCase().normalize('NFC');
}
