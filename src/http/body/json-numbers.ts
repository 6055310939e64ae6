import { compareDecimals, digitsOf } from './decimal-text.js';
import { endOfString, Span } from './json-scan.js';

/** No double is written with more digits, where it is written as short as can be. */
const MAX_DIGITS = 17;

/** A number of a text that reading has rounded. */
interface RoundedNumber extends Span {
  readonly written: string;
  readonly nearest: number;
}

function roundedIn(text: string, longNumbers: readonly Span[]): RoundedNumber[] {
  const found: RoundedNumber[] = [];
  for (const { start, end } of longNumbers) {
    const written = text.slice(start, end);
    const nearest = Number(written);
    if (isRounded(written, nearest)) found.push({ start, end, written, nearest });
  }
  return found;
}

/** Whether the shortest text of the double that is nearest to a number is another number. */
function isRounded(written: string, nearest: number): boolean {
  // A number beyond all doubles is beyond every bound, too.
  if (!Number.isFinite(nearest)) return false;
  return digitsOf(written) > MAX_DIGITS || compareDecimals(written, String(nearest)) !== 0;
}

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
  const numbers = roundedIn(text, longNumbers);
  if (numbers.length === 0) return;
  eachMember(text, parsed, numbers, (holder, key, { written, nearest }) => {
    // Another value: of members of one name, the last was read.
    if (holder[key] !== nearest) return;
    const known = rounded.get(holder);
    if (known) known.set(key, written);
    else rounded.set(holder, new Map([[key, written]]));
  });
}

/** An object or array of the text, and the place in it. */
interface Frame {
  readonly holder: Holder | undefined;
  readonly isArray: boolean;
  index: number;
  isKeyNext: boolean;
  keyStart: number;
  keyEnd: number;
}

/** Finds what holds each of some numbers, by one pass over the text beside what it was read as. */
function eachMember(
  text: string,
  parsed: unknown,
  numbers: readonly RoundedNumber[],
  visit: (holder: Holder, key: string, number: RoundedNumber) => void,
): void {
  const frames: Frame[] = [];
  let frame: Frame | undefined;
  let next = 0;
  for (let i = 0; i < text.length && next < numbers.length; i++) {
    const number = numbers[next] as RoundedNumber;
    const char = text[i];
    if (i === number.start) {
      if (frame?.holder) visit(frame.holder, keyOf(text, frame), number);
      i = number.end - 1;
      next++;
    } else if (char === '"') {
      const end = endOfString(text, i);
      if (frame?.isKeyNext) {
        frame.isKeyNext = false;
        frame.keyStart = i;
        frame.keyEnd = end + 1;
      }
      i = end;
    } else if (char === ',' && frame) {
      frame.index++;
      frame.isKeyNext = !frame.isArray;
    } else if (char === '{' || char === '[') {
      const value = frame ? frame.holder?.[keyOf(text, frame)] : parsed;
      frames.push((frame = frameOf(value, char === '[')));
    } else if (char === '}' || char === ']') {
      frames.pop();
      frame = frames.at(-1);
    }
  }
}

function frameOf(value: unknown, isArray: boolean): Frame {
  const holder = typeof value === 'object' && value !== null ? (value as Holder) : undefined;
  return { holder, isArray, index: 0, isKeyNext: !isArray, keyStart: 0, keyEnd: 0 };
}

function keyOf(text: string, { isArray, index, keyStart, keyEnd }: Frame): string {
  if (isArray) return String(index);
  const key = text.slice(keyStart + 1, keyEnd - 1);
  return key.includes('\\') ? (JSON.parse(`"${key}"`) as string) : key;
}
