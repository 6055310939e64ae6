import { compareDecimals } from './decimal-text.js';
import { Span } from './json-scan.js';

type Holder = Readonly<Record<string, unknown>>;

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
 * Remembers for `writtenNumber()` how the rounded numbers of a JSON text were written.
 *
 * @param text valid JSON
 * @param parsed what the text was read as
 * @param longNumbers where the text has numbers that may have been rounded
 */
export function rememberRounded(text: string, parsed: unknown, longNumbers: readonly Span[]): void {
  let quoted = '';
  let done = 0;
  for (const { start, end } of longNumbers) {
    quoted += `${text.slice(done, start)}"${text.slice(start, end)}"`;
    done = end;
  }
  compare(parsed, JSON.parse(quoted + text.slice(done)));
}

/** @param quoted the same value, with texts in place of numbers that may have been rounded */
function compare(parsed: unknown, quoted: unknown): void {
  if (typeof parsed !== 'object' || parsed === null) return;
  for (const [key, written] of Object.entries(quoted as Holder)) {
    const value = (parsed as Holder)[key];
    if (typeof value !== 'number') compare(value, written);
    else if (typeof written === 'string' && isRounded(written, value)) {
      const known = rounded.get(parsed);
      if (known) known.set(key, written);
      else rounded.set(parsed, new Map([[key, written]]));
    }
  }
}

/** Whether the shortest text of a double is another number. One beyond all doubles is beyond every bound, too. */
const isRounded = (written: string, nearest: number): boolean =>
  Number.isFinite(nearest) && compareDecimals(written, String(nearest)) !== 0;
