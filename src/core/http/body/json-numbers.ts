import { compareDecimals } from './decimal-text.js';
import { Span } from './json-scan.js';

type Holder = Readonly<Record<string, unknown>>;

/** Objects and arrays of bodies, by what they are with texts in place of numbers that may have been rounded. */
const quotedOf = new WeakMap<object, Holder>();

/**
 * How a number of a body was written, where reading it as a double has rounded it; `undefined` where the number says
 * it all.
 *
 * @param holder the object or array that it was read into
 */
export function writtenNumber(holder: object, key: string): string | undefined {
  const written = quotedOf.get(holder)?.[key];
  const value = (holder as Holder)[key];
  if (typeof written !== 'string' || typeof value !== 'number') return undefined;
  return isRounded(written, value) ? written : undefined;
}

/**
 * Remembers for `writtenNumber()` how the long numbers of a JSON text were written.
 *
 * @param text valid JSON
 * @param parsed what the text was read as
 * @param longNumbers where the text has numbers that may have been rounded
 */
export function rememberWritten(text: string, parsed: unknown, longNumbers: readonly Span[]): void {
  let quoted = '';
  let done = 0;
  for (const { start, end } of longNumbers) {
    quoted += `${text.slice(done, start)}"${text.slice(start, end)}"`;
    done = end;
  }
  remember(parsed, JSON.parse(quoted + text.slice(done)));
}

function remember(parsed: unknown, quoted: unknown): void {
  if (typeof parsed !== 'object' || parsed === null) return;
  quotedOf.set(parsed, quoted as Holder);
  for (const key of Object.keys(parsed)) remember((parsed as Holder)[key], (quoted as Holder)[key]);
}

/** Whether the shortest text of a double is another number. One beyond all doubles is beyond every bound, too. */
const isRounded = (written: string, nearest: number): boolean =>
  Number.isFinite(nearest) && compareDecimals(written, String(nearest)) !== 0;
