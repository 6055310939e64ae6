import { countDecimals } from '../http/body/json-text.js';
import { FaultCode } from './faults.js';

/** The part of JSON Schema (as OpenAPI 3.0 writes it) that fields are described in. */
export interface JsonSchema {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  format?: string;
  const?: unknown;
  enum?: readonly (string | number | null)[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  nullable?: boolean;
}

export interface FieldRule {
  readonly code: FaultCode;
  isValid(value: unknown): boolean;
  readonly requirement: string;
}

/** Length of a text in characters (code points), as PostgreSQL's `varchar(n)` counts. Copies nothing. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Whether a text has at most so many characters. One that is longer by far is not counted: it may be a whole body. */
export const hasAtMostCharacters = (max: number, text: string): boolean =>
  text.length <= 2 * max && countCharacters(text) <= max;

/** Whether PostgreSQL can store the text as it is: no NUL, no half of a surrogate pair. */
export function isWellFormedText(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed();
}

/** Whether PostgreSQL can store a value, as text or as JSON, down to the last of its members. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormedText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, item]) => isWellFormedText(name) && isStorable(item));
}

export const decimalsRequirement = (most: number): string => `a number with at most ${most} decimals`;

/** Text of a form. The pattern is not run on text longer than `max`. */
export const formatRule = (isRight: (value: string) => boolean, max: number, takes: string): FieldRule => ({
  code: 'BAD_FORMAT',
  isValid: (value: string) => hasAtMostCharacters(max, value) && isRight(value),
  requirement: takes,
});

/** The rules that a schema states. @param decimals the most that a number has; left out: any */
export function rulesFromSchema(schema: JsonSchema, decimals?: number): FieldRule[] {
  const { minLength = 0, maxLength, minimum, maximum, minItems, maxItems, items } = schema;
  const rules: FieldRule[] = [];
  const add = (code: FaultCode, takes: string | (() => string), isRight: FieldRule['isValid']) =>
    rules.push({
      code,
      isValid: isRight,
      get requirement() {
        return typeof takes === 'string' ? takes : takes();
      },
    });
  if (maxLength !== undefined) {
    add('BAD_CHARACTER', 'text without NUL and unpaired surrogates', isWellFormedText);
    const isLong = (value: string): boolean => !hasAtMostCharacters(minLength - 1, value);
    if (minLength > 0) add('TOO_SHORT', `at least ${minLength} characters`, isLong);
    const isShort = (value: string): boolean => hasAtMostCharacters(maxLength, value);
    add('TOO_LONG', `at most ${maxLength} characters`, isShort);
  }
  if (minimum !== undefined) add('TOO_SMALL', `at least ${minimum}`, (value: number) => value >= minimum);
  if (maximum !== undefined) add('TOO_LARGE', `at most ${maximum}`, (value: number) => value <= maximum);
  if (decimals) {
    // The shortest text that reads back as the same number is what the client wrote, up to trailing zeros. Beyond its
    // bounds a number is too large or too small, whatever its decimals.
    const isExact = (value: number): boolean =>
      countDecimals(String(value)) <= decimals || Math.abs(value) > (maximum ?? Infinity);
    add('TOO_PRECISE', decimalsRequirement(decimals), isExact);
  }
  // Some lists of words are only complete at start, and only then their number is known.
  const words = schema.enum ?? items?.enum;
  const areWords = (value: string | readonly string[]): boolean =>
    [value].flat().every((word) => words?.includes(word));
  if (words) add('NOT_ALLOWED', () => `${items ? 'some' : 'one'} of ${words.join(', ')}`, areWords);
  if (schema.uniqueItems)
    add('DUPLICATE', 'each once', (value: readonly unknown[]) => new Set(value).size === value.length);
  if (minItems !== undefined)
    add('TOO_FEW', `at least ${minItems} items`, (value: readonly unknown[]) => value.length >= minItems);
  const isFew = (value: readonly unknown[]): boolean => value.length <= (schema.maxItems ?? Infinity);
  if (maxItems !== undefined) add('TOO_MANY', () => `at most ${schema.maxItems} items`, isFew);
  return rules;
}
