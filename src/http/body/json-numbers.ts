import { randomUUID } from 'node:crypto';

import { compareDecimals } from './decimal-text.js';
import { Span } from './json-scan.js';

/** Whether the shortest text of the double that is nearest to a number is another number: something was rounded. */
function isRounded(text: string): boolean {
  const nearest = Number(text);
  // What is beyond all doubles is beyond every bound, too.
  return Number.isFinite(nearest) && compareDecimals(text, String(nearest)) !== 0;
}

/** The numbers that were rounded, as they were written, by the object or array that holds them. */
const rounded = new WeakMap<object, Map<string, string>>();

/**
 * How a number of a body was written, where reading it as a double has rounded it; `undefined` where the number says
 * it all.
 *
 * @param holder the object or array that it was read into
 */
export function writtenNumber(holder: object, key: string): string | undefined {
  return rounded.get(holder)?.get(key);
}

/**
 * Reads JSON text again where a number of it was rounded, so that `writtenNumber()` knows how it was written.
 *
 * @param text valid JSON
 * @param parsed what the text was read as; returned where nothing was rounded
 * @param longNumbers where the text has numbers that may have been
 */
export function keepRoundedNumbers(text: string, parsed: unknown, longNumbers: readonly Span[]): unknown {
  const spans = longNumbers.filter(({ start, end }) => isRounded(text.slice(start, end)));
  if (spans.length === 0) return parsed;
  // Each becomes a string that no client can guess, which is turned back into the number where it is found.
  const mark = randomUUID();
  let marked = '';
  let position = 0;
  for (const { start, end } of spans) {
    marked += `${text.slice(position, start)}"${mark}${text.slice(start, end)}"`;
    position = end;
  }
  return JSON.parse(marked + text.slice(position), function (this: object, key, value: unknown) {
    if (typeof value !== 'string' || !value.startsWith(mark)) return value;
    const written = value.slice(mark.length);
    const numbers = rounded.get(this) ?? new Map<string, string>();
    rounded.set(this, numbers.set(key, written));
    return Number(written);
  });
}
