import { countCharacters } from '../fields/characters.js';
import { FaultCode } from '../fields/faults.js';
import { isWellFormedText } from '../fields/rules.js';
import { compareDecimals } from '../http/body/decimal-text.js';
import { MAX_ID } from '../fields/kinds.js';

/** Why the text of a query parameter is no value of it. */
export class ValueFault {
  constructor(
    readonly code: FaultCode,
    /** The values that the parameter takes, in words. */
    readonly takes: string,
  ) {}
}

/** Longer numbers mean nothing more, and would come back in every link of a page. */
const MAX_DIGITS = 500;
const tooLong = new ValueFault('WRONG_TYPE', `at most ${MAX_DIGITS} digits`);

/** Reads the text of a query parameter strictly: no blanks, no exponents, no other spellings. */
export type ValueReader<T> = (text: string) => T | ValueFault;

export const text =
  (max: number): ValueReader<string> =>
  (value) => {
    if (!isWellFormedText(value)) return new ValueFault('BAD_CHARACTER', 'text without NUL');
    return countCharacters(value) > max ? new ValueFault('TOO_LONG', `at most ${max} characters`) : value;
  };

export const flag: ValueReader<boolean> = (value) => {
  if (value === 'true') return true;
  return value === 'false' ? false : new ValueFault('WRONG_TYPE', 'true or false');
};

export const integer =
  (min: number, max: number): ValueReader<number> =>
  (value) => {
    if (!/^-?\d+$/.test(value)) return new ValueFault('WRONG_TYPE', 'an integer');
    if (value.length > MAX_DIGITS) return tooLong;
    const number = Number(value);
    if (number < min) return new ValueFault('TOO_SMALL', `at least ${min}`);
    return number > max ? new ValueFault('TOO_LARGE', `at most ${max}`) : number;
  };

/** An id. One that no resource can have is still an id: nothing has it. */
export const id: ValueReader<number> = (value) => {
  if (!/^\d+$/.test(value)) return new ValueFault('WRONG_TYPE', 'a positive integer');
  if (value.length > MAX_DIGITS) return tooLong;
  const number = Number(value);
  return number <= MAX_ID ? number : 0;
};

/** A decimal number from `min`, kept as text: it is compared in decimal. */
export const decimal =
  (min?: number): ValueReader<string> =>
  (value) => {
    if (!/^-?\d{1,30}(\.\d{1,30})?$/.test(value)) return new ValueFault('WRONG_TYPE', 'a number');
    const isBelow = min !== undefined && compareSigned(value, String(min)) < 0;
    return isBelow ? new ValueFault('TOO_SMALL', `at least ${min}`) : value;
  };

/** Compares two numbers as they are written, exactly. */
export function compareSigned(one: string, other: string): number {
  const [a, b] = [signOf(one), signOf(other)];
  if (a !== b) return a - b;
  return a < 0 ? compareDecimals(other, one) : compareDecimals(one, other);
}

const signOf = (number: string): number => {
  if (!/[1-9]/.test(number)) return 0;
  return number.startsWith('-') ? -1 : 1;
};

/** A point in time as the service writes all of them: in UTC. */
export const instant: ValueReader<string> = (value) => {
  const time = new Date(value);
  const written = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  // An offset can lead out of the years that ISO 8601 writes in four digits.
  const isWritten = /^\d{4}-/.test(written) && !written.startsWith('0000');
  return isWritten ? written : new ValueFault('WRONG_TYPE', 'a time such as 2026-11-20T09:30:00.000Z');
};

export const choice =
  (choices: readonly string[]): ValueReader<string> =>
  (value) =>
    choices.includes(value) ? value : new ValueFault('NOT_ALLOWED', `one of ${choices.join(', ')}`);

/** Values between commas. One in double quotes may have commas, and double quotes written twice (RFC 4180 §2). */
export function splitValues(text: string): string[] {
  return [...`,${text}`.matchAll(/,("(?:[^"]|"")*"(?=,|$)|[^,]*)/g)].map(([, value = '']) => {
    const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
    return isQuoted ? value.slice(1, -1).replaceAll('""', '"') : value;
  });
}

const LAST_CHARACTER = '\u{10ffff}';

/**
 * The first text, by code points, that comes after all those that begin with `prefix` and have at most 10,000
 * characters.
 */
export function afterPrefix(prefix: string): string {
  const characters = [...prefix];
  while (characters.at(-1) === LAST_CHARACTER) characters.pop();
  const last = characters.pop()?.codePointAt(0);
  if (last === undefined) return LAST_CHARACTER.repeat(10_001);
  // Between them are the halves of surrogate pairs, which no text has.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return characters.join('') + String.fromCodePoint(next);
}
