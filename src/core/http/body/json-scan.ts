/** Deepest nesting of arrays and objects in a body. */
const MAX_DEPTH = 20;

/** Most values in a body: itself, and every member of an object and item of an array in it, at any depth. */
export const MAX_VALUES = 20_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const SPACE = 0x20;

/** Up to this many characters, a number without exponent is in a double as it was written. */
const EXACT_LENGTH = 15;

/** A range of a text: from `start` up to but without `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The findings of one pass over JSON text; meaningless for other text. */
export interface Scan {
  /** Which bound the text exceeds, as the second half of a sentence; `undefined` where it keeps them all. */
  readonly excess?: string;
  /** Its numbers that a double may not hold as they were written. */
  readonly longNumbers: readonly Span[];
}

/** Judges JSON text before it is parsed: one pass that builds nothing of it, and ends where a bound is exceeded. */
export function scanJson(text: string): Scan {
  const longNumbers: Span[] = [];
  let depth = 0;
  let values = 1;
  let isJustOpened = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char <= SPACE) continue;
    const isClosing = char === CLOSING_BRACE || char === CLOSING_BRACKET;
    if (isJustOpened && !isClosing) values++;
    isJustOpened = false;
    if (char === QUOTE) i = endOfString(text, i);
    else if (char === COMMA) values++;
    else if (isClosing) depth--;
    else if (isInNumber(char)) {
      const end = endOfNumber(text, i);
      if (end - i > EXACT_LENGTH || hasExponent(text, i, end)) longNumbers.push({ start: i, end });
      i = end - 1;
    } else if (char === OPENING_BRACE || char === OPENING_BRACKET) {
      isJustOpened = true;
      if (++depth > MAX_DEPTH) return { excess: `is nested deeper than ${MAX_DEPTH} levels`, longNumbers };
    }
    if (values > MAX_VALUES) return { excess: `has more than ${MAX_VALUES} values`, longNumbers };
  }
  return { longNumbers };
}

/** The end of the string that starts at `start`: the index of its closing quote, or the end of the text. */
export function endOfString(text: string, start: number): number {
  let i = start + 1;
  for (; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === BACKSLASH) i++;
    else if (char === QUOTE) break;
  }
  return i;
}

/** Digits, and what else a number is written with: `+`, `-`, `.`, but for the `e` of its exponent. */
const isInNumber = (char: number): boolean =>
  (char >= 0x30 && char <= 0x39) || char === 0x2d || char === 0x2e || char === 0x2b;

/** `e` or `E`. */
const isExponent = (char: number): boolean => (char | 0x20) === 0x65;

/** The end of the number that starts at `start`: the index after its last character. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end++) {
    const char = text.charCodeAt(end);
    if (!isInNumber(char) && !isExponent(char)) break;
  }
  return end;
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (isExponent(text.charCodeAt(i))) return true;
  return false;
}
