import { FaultCode } from './faults.js';

// The rules that fields are made of, and the guards of their types.

/** One rule on a value of the right type. `violated` gives what the field takes, or `undefined` when all is well. */
export interface Rule<T> {
  readonly code: FaultCode;
  readonly violated: (value: T) => string | undefined;
}

/** Length of a text in characters (code points), as PostgreSQL's `varchar(n)` counts. Copies nothing. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    // A pair of surrogates is one character.
    if ((text.codePointAt(i) as number) > 0xffff) {
      i++;
      count--;
    }
  }
  return count;
}

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isInteger = (value: unknown): value is number => Number.isInteger(value);
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
export const isArray = (value: unknown): value is unknown[] => Array.isArray(value);

/** Whether PostgreSQL can store the text as it is: no NUL, no half of a surrogate pair. */
export function isWellFormedText(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed();
}

/** A rule that takes values of which `isRight` is true. @param takes what it takes, in words */
export const rule = <T>(code: FaultCode, isRight: (value: T) => boolean, takes: string): Rule<T> => ({
  code,
  violated: (value) => (isRight(value) ? undefined : takes),
});

/** A rule on words of a list that is complete at start, as that of the roles is. */
export const among = <T>(isRight: (value: T) => boolean, takes: () => string): Rule<T> => ({
  code: 'NOT_ALLOWED',
  violated: (value) => (isRight(value) ? undefined : takes()),
});

export const wellFormed = rule('BAD_CHARACTER', isWellFormedText, 'text without NUL and unpaired surrogates');

export const notBlank = rule<string>('BLANK', (value) => /\S/.test(value), 'text that is not blank');

export const atLeastCharacters = (min: number): Rule<string> =>
  rule('TOO_SHORT', (value) => countCharacters(value) >= min, `at least ${min} characters`);

export const atMostCharacters = (max: number): Rule<string> =>
  rule('TOO_LONG', (value) => countCharacters(value) <= max, `at most ${max} characters`);

export const atLeast = (min: number): Rule<number> =>
  rule('TOO_SMALL', (value) => value >= min, `at least ${min}`);

export const atMost = (max: number): Rule<number> =>
  rule('TOO_LARGE', (value) => value <= max, `at most ${max}`);

/** Whether a number has at most so many decimals as it is written in JSON. */
export function hasDecimals(value: number, most: number): boolean {
  // The shortest text that reads back as the same number is what the client wrote, up to trailing zeros.
  const plain = /^-?\d+(?:\.(\d+))?$/.exec(String(value));
  return plain !== null && (plain[1]?.length ?? 0) <= most;
}

/** The second half of the message for a number that has too many decimals. */
export const withDecimals = (most: number): string => `a number with at most ${most} decimals`;

/** @param largest numbers beyond it are too large or too small, whatever their decimals */
export const atMostDecimals = (most: number, largest: number): Rule<number> =>
  rule('TOO_PRECISE', (value) => hasDecimals(value, most) || Math.abs(value) > largest, withDecimals(most));

/** Text of a form. The pattern is not run on text longer than `max`. */
export const ofForm = (isRight: (value: string) => boolean, max: number, takes: string): Rule<string> =>
  rule('BAD_FORMAT', (value) => countCharacters(value) <= max && isRight(value), takes);

/** @param items what they are called in the message, with a blank before it */
export const atLeastItems = (min: number, items = ''): Rule<readonly unknown[]> =>
  rule('TOO_FEW', (value) => value.length >= min, `at least ${min}${items}`);

export const atMostItems = (max: number, items = ''): Rule<readonly unknown[]> =>
  rule('TOO_MANY', (value) => value.length <= max, `at most ${max}${items}`);

/** Items that are all different, as JSON. */
export const eachOnce = rule<readonly unknown[]>(
  'DUPLICATE',
  (value) =>
    new Set(value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : item))).size ===
    value.length,
  'each once',
);
