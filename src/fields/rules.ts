import { countCharacters } from './characters.js';
import { Rule } from './field.js';

// The rules that fields are made of, and the guards of their types.

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number';
export const isInteger = (value: unknown): value is number => Number.isInteger(value);
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
export const isArray = (value: unknown): value is unknown[] => Array.isArray(value);

/** Whether PostgreSQL can store the text as it is: no NUL, no half of a surrogate pair. */
export function isWellFormedText(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed();
}

export const wellFormed: Rule<string> = {
  code: 'BAD_CHARACTER',
  violated: (value) => (isWellFormedText(value) ? undefined : 'text without NUL and unpaired surrogates'),
};

export const notBlank: Rule<string> = {
  code: 'BLANK',
  violated: (value) => (/\S/.test(value) ? undefined : 'text that is not blank'),
};

export const atLeastCharacters = (min: number): Rule<string> => ({
  code: 'TOO_SHORT',
  violated: (value) => (countCharacters(value) < min ? `at least ${min} characters` : undefined),
});

export const atMostCharacters = (max: number): Rule<string> => ({
  code: 'TOO_LONG',
  violated: (value) => (countCharacters(value) > max ? `at most ${max} characters` : undefined),
});

export const atLeast = (min: number): Rule<number> => ({
  code: 'TOO_SMALL',
  violated: (value) => (value < min ? `at least ${min}` : undefined),
});

export const atMost = (max: number): Rule<number> => ({
  code: 'TOO_LARGE',
  violated: (value) => (value > max ? `at most ${max}` : undefined),
});

/** Whether a number has at most so many decimals as it is written in JSON. */
export function hasDecimals(value: number, most: number): boolean {
  // The shortest text that reads back as the same number is what the client wrote, up to trailing zeros.
  const plain = /^-?\d+(?:\.(\d+))?$/.exec(String(value));
  return plain !== null && (plain[1]?.length ?? 0) <= most;
}

/** The second half of the message for a number that has too many decimals. */
export const withDecimals = (most: number): string => `a number with at most ${most} decimals`;

/** @param largest numbers beyond it are too large or too small, whatever their decimals */
export const atMostDecimals = (most: number, largest: number): Rule<number> => ({
  code: 'TOO_PRECISE',
  violated: (value) =>
    hasDecimals(value, most) || Math.abs(value) > largest ? undefined : withDecimals(most),
});

/** Text of a form. The pattern is not run on text longer than `max`. */
export const ofForm = (isRight: (value: string) => boolean, max: number, takes: string): Rule<string> => ({
  code: 'BAD_FORMAT',
  violated: (value) => (countCharacters(value) <= max && isRight(value) ? undefined : takes),
});

/** @param items what they are called in the message, with a blank before it */
export const atLeastItems = (min: number, items = ''): Rule<readonly unknown[]> => ({
  code: 'TOO_FEW',
  violated: (value) => (value.length < min ? `at least ${min}${items}` : undefined),
});

export const atMostItems = (max: number, items = ''): Rule<readonly unknown[]> => ({
  code: 'TOO_MANY',
  violated: (value) => (value.length > max ? `at most ${max}${items}` : undefined),
});

/** Items that are all different, as JSON. */
export const eachOnce: Rule<readonly unknown[]> = {
  code: 'DUPLICATE',
  violated: (value) => {
    const different = new Set(value.map((item) => (typeof item === 'object' ? JSON.stringify(item) : item)));
    return different.size < value.length ? 'each once' : undefined;
  },
};
