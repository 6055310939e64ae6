import { countDecimals } from '../http/body/json-text.js';
import { FaultCode } from './faults.js';

/** The subset of JSON Schema (as in OpenAPI 3.0) that describes fields. */
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
  default?: unknown;
}

export interface FieldRule {
  readonly code: FaultCode;
  isValid(value: unknown): boolean;
  /** The requirement that a message states, such as `must be at least 0`. */
  readonly requirement: string;
}

/**
 * Returns the length of text in characters (code points), as PostgreSQL counts them for `varchar(n)`. Does not copy the
 * text.
 */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * Whether text has at most `max` characters. Does not count the characters of far longer text, which may be a whole
 * body.
 */
export const hasAtMostCharacters = (max: number, text: string): boolean =>
  text.length <= 2 * max && countCharacters(text) <= max;

export const UNSTORABLE_MESSAGE = 'must not contain NUL or half of a surrogate pair';

/** Whether PostgreSQL can store the text as it is: it contains neither NUL nor half of a surrogate pair. */
export function isWellFormedText(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed();
}

/** Whether PostgreSQL can store a value and all its members, as text or as JSON. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormedText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, item]) => isWellFormedText(name) && isStorable(item));
}

export const decimalsRequirement = (most: number): string => `must have at most ${most} decimal places`;

/** Returns a rule for the format of text. The rule does not call `isRight` for text that is longer than `max`. */
export const formatRule = (
  isRight: (value: string) => boolean,
  max: number,
  requirement: string,
): FieldRule => ({
  code: 'BAD_FORMAT',
  isValid: (value: string) => hasAtMostCharacters(max, value) && isRight(value),
  requirement,
});

/**
 * Returns the rules that follow from a schema.
 * @param decimals how many decimals a number may have; by default, any number
 */
export function rulesFromSchema(schema: JsonSchema, decimals?: number): FieldRule[] {
  const { minLength = 0, maxLength, minimum, maximum, minItems, maxItems, items } = schema;
  const rules: FieldRule[] = [];
  const add = (code: FaultCode, clause: string | (() => string), isRight: FieldRule['isValid']) =>
    rules.push({
      code,
      isValid: isRight,
      get requirement() {
        return typeof clause === 'string' ? clause : clause();
      },
    });
  if (maxLength !== undefined) {
    add('BAD_CHARACTER', UNSTORABLE_MESSAGE, isWellFormedText);
    const isLongEnough = (value: string): boolean => !hasAtMostCharacters(minLength - 1, value);
    if (minLength > 0) add('TOO_SHORT', `must have at least ${minLength} characters`, isLongEnough);
    const isShortEnough = (value: string): boolean => hasAtMostCharacters(maxLength, value);
    add('TOO_LONG', `must have at most ${maxLength} characters`, isShortEnough);
  }
  if (minimum !== undefined)
    add('TOO_SMALL', `must be at least ${minimum}`, (value: number) => value >= minimum);
  if (maximum !== undefined)
    add('TOO_LARGE', `must be at most ${maximum}`, (value: number) => value <= maximum);
  if (decimals) {
    // `String()` returns the shortest text for a number: the text of the client, without trailing zeros. If a number is
    // out of bounds, its decimals do not matter.
    const isExact = (value: number): boolean =>
      countDecimals(String(value)) <= decimals || Math.abs(value) > (maximum ?? Infinity);
    add('TOO_PRECISE', decimalsRequirement(decimals), isExact);
  }
  // Some arrays of words are filled only when the service starts. Messages and limits are therefore read only when a
  // value is checked.
  const words = schema.enum ?? items?.enum;
  const areWords = (value: string | readonly string[]): boolean =>
    [value].flat().every((word) => words?.includes(word));
  if (words)
    add('NOT_ALLOWED', () => `must ${items ? 'only contain' : 'be one of'} ${words.join(', ')}`, areWords);
  if (schema.uniqueItems)
    add(
      'DUPLICATE',
      'must not contain an item twice',
      (value: readonly unknown[]) => new Set(value).size === value.length,
    );
  if (minItems !== undefined)
    add(
      'TOO_FEW',
      `must have ${minItems} or more items`,
      (value: readonly unknown[]) => value.length >= minItems,
    );
  const isFewEnough = (value: readonly unknown[]): boolean => value.length <= (schema.maxItems ?? Infinity);
  if (maxItems !== undefined)
    add('TOO_MANY', () => `must have at most ${schema.maxItems} items`, isFewEnough);
  return rules;
}
