/** An entity tag, RFC 9110 §8.8.3: `W/"abc"` is `{ weak: true, opaque: 'abc' }`. */
export interface EntityTag {
  readonly weak: boolean;
  /** The text between the quotes. */
  readonly opaque: string;
}

/** The value of `If-Match` or `If-None-Match`: any representation, or the ones listed. */
export type EntityTags = '*' | readonly EntityTag[];

/** etagc: visible ASCII without the quote, and obs-text, which node hands out as U+0080 to U+00FF. */
const ETAGC = '[\\x21\\x23-\\x7e\\x80-\\xff]';

/** One member, or none, with the comma and the blanks behind it. No two parts can take the same character. */
const MEMBER = new RegExp(`(?:(W/)?"(${ETAGC}*)"|)[ \\t]*(?:,[ \\t]*|$)`, 'y');

/**
 * Reads the value of `If-Match` or `If-None-Match`: `"*" / #entity-tag` (RFC 9110 §13.1.1, §13.1.2).
 *
 * Empty members are passed over (§5.6.1.2) and an empty list is a list, so `''` gives `[]`. `W/` is
 * case-sensitive, a comma inside quotes belongs to the tag, a backslash escapes nothing. Null when the value is
 * malformed in any place. Never throws; takes time linear in the length.
 *
 * @example parseEntityTags('"a", W/"b,c"') // [{ weak: false, opaque: 'a' }, { weak: true, opaque: 'b,c' }]
 */
export function parseEntityTags(header: string): EntityTags | null {
  // `trim()` would also cut U+00A0, obs-text.
  const text = header.replace(/^[ \t]+/, '');
  if (text === '*') return '*';
  const tags: EntityTag[] = [];
  let position = 0;
  while (position < text.length) {
    MEMBER.lastIndex = position;
    const member = MEMBER.exec(text);
    if (member === null) return null;
    if (member[2] !== undefined) tags.push({ weak: member[1] !== undefined, opaque: member[2] });
    position = MEMBER.lastIndex;
  }
  return tags;
}
