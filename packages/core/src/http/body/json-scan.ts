const MAX_DEPTH = 20;

/** Most values in a body: itself, and every member of an object and item of an array in it, at any depth. */
export const MAX_VALUES = 20_000;

export const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const SPACE = 0x20;

/** Which bound JSON text exceeds, as the second half of a sentence, before anything is built of it; `undefined`: none. */
export function excessOf(text: string): string | undefined {
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
    else if (char === OPENING_BRACE || char === OPENING_BRACKET) {
      isJustOpened = true;
      if (++depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    }
    if (values > MAX_VALUES) return `has more than ${MAX_VALUES} values`;
  }
  return undefined;
}

/** The end of the string that starts at `start`: the index of its closing quote, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
