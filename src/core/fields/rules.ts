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
  default?: unknown;
}

/** One rule on a value of the right type. `violated` gives what the field takes, or `undefined` when all is well. */
export interface Rule {
  readonly code: FaultCode;
  readonly violated: (value: unknown) => string | undefined;
}

/**
 * A rule that takes values of which `isRight` is true.
 *
 * @param takes what it takes, in words; a function for words of a list that is only complete at start
 */
export const rule = <T>(
  code: FaultCode,
  isRight: (value: T) => boolean,
  takes: string | (() => string),
): Rule => ({
  code,
  violated: (value) => {
    if (isRight(value as T)) return undefined;
    return typeof takes === 'string' ? takes : takes();
  },
});

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

/** Whether a number has at most so many decimals as it is written in JSON. */
export function hasDecimals(value: number, most: number): boolean {
  // The shortest text that reads back as the same number is what the client wrote, up to trailing zeros.
  const plain = /^-?\d+(?:\.(\d+))?$/.exec(String(value));
  return plain !== null && (plain[1]?.length ?? 0) <= most;
}

/** The second half of the message for a number that has too many decimals. */
export const withDecimals = (most: number): string => `a number with at most ${most} decimals`;

export const notBlank = rule<string>('BLANK', (value) => /\S/.test(value), 'text that is not blank');

/** Text of a form. The pattern is not run on text longer than `max`. */
export const ofForm = (isRight: (value: string) => boolean, max: number, takes: string): Rule =>
  rule<string>('BAD_FORMAT', (value) => countCharacters(value) <= max && isRight(value), takes);

/** The rules that a schema states. @param decimals the most that a number has; left out: any */
export function rulesOf(schema: JsonSchema, decimals?: number): Rule[] {
  const { minLength = 0, maxLength, minimum, maximum, minItems, maxItems, items } = schema;
  const rules: Rule[] = [];
  const add = <T>(code: FaultCode, isRight: (value: T) => boolean, takes: string | (() => string)): void => {
    rules.push(rule(code, isRight, takes));
  };
  if (maxLength !== undefined) {
    add('BAD_CHARACTER', isWellFormedText, 'text without NUL and unpaired surrogates');
    if (minLength > 0)
      add<string>(
        'TOO_SHORT',
        (value) => countCharacters(value) >= minLength,
        `at least ${minLength} characters`,
      );
    add<string>(
      'TOO_LONG',
      (value) => countCharacters(value) <= maxLength,
      `at most ${maxLength} characters`,
    );
  }
  if (minimum !== undefined) add<number>('TOO_SMALL', (value) => value >= minimum, `at least ${minimum}`);
  if (maximum !== undefined) add<number>('TOO_LARGE', (value) => value <= maximum, `at most ${maximum}`);
  if (decimals)
    add<number>(
      'TOO_PRECISE',
      // Beyond its bounds a number is too large or too small, whatever its decimals.
      (value) => hasDecimals(value, decimals) || Math.abs(value) > (maximum ?? Infinity),
      withDecimals(decimals),
    );
  const words = schema.enum ?? items?.enum;
  if (words)
    add<string | readonly string[]>(
      'NOT_ALLOWED',
      (value) => [value].flat().every((word) => words.includes(word)),
      () => `${items ? 'some' : 'one'} of ${words.join(', ')}`,
    );
  if (schema.uniqueItems)
    add<readonly unknown[]>('DUPLICATE', (value) => new Set(value).size === value.length, 'each once');
  if (minItems !== undefined)
    add<readonly unknown[]>('TOO_FEW', (value) => value.length >= minItems, `at least ${minItems} items`);
  if (maxItems !== undefined)
    add<readonly unknown[]>('TOO_MANY', (value) => value.length <= maxItems, `at most ${maxItems} items`);
  return rules;
}
