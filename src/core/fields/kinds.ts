import { DATE, NUMBER, TIMESTAMP } from './codec.js';
import { isEmail, MAX_EMAIL_LENGTH } from './email.js';
import { FieldKind } from './field.js';
import * as rules from './rules.js';

// The kinds of fields, each with its type, rules, schema and column. The decorators of `fields.ts` declare them.

/** The largest amount that `numeric(12,2)` holds. */
export const MAX_MONEY = 9_999_999_999.99;
const MAX_INTEGER = 2_147_483_647;
const MAX_URL = 2048;

/** Digits that any decimal number of a double has. */
const MAX_PRECISION = 15;

const TEXT = { typeName: 'a string', is: rules.isText };
const NUMERIC = { typeName: 'a number', is: rules.isNumber };

export interface TextOptions {
  readonly min?: number;
  readonly max: number;
  /** May be empty or of nothing but blanks. */
  readonly blank?: boolean;
}

export function text({ blank = false, min = blank ? 0 : 1, max }: TextOptions): FieldKind<string> {
  const shortness = min > 1 ? [rules.atLeastCharacters(min)] : [];
  return {
    ...TEXT,
    schema: { type: 'string', minLength: min, maxLength: max },
    rules: [rules.wellFormed, ...(blank ? [] : [rules.notBlank]), ...shortness, rules.atMostCharacters(max)],
    column: { type: 'varchar', length: max },
  };
}

export interface PasswordOptions {
  readonly min?: number;
  /** Knows those that are too common to be chosen. */
  readonly isCommon?: (password: string) => boolean;
}

export function password({ min = 8, isCommon }: PasswordOptions): FieldKind<string> {
  const notCommon = rules.rule<string>(
    'TOO_COMMON',
    (value) => isCommon?.(value) !== true,
    'a password that is not among the commonest',
  );
  return {
    ...TEXT,
    schema: { type: 'string', format: 'password', minLength: min, maxLength: 128 },
    rules: [
      rules.wellFormed,
      rules.atLeastCharacters(min),
      rules.atMostCharacters(128),
      ...(isCommon ? [notCommon] : []),
    ],
  };
}

export const email: FieldKind<string> = {
  ...TEXT,
  schema: { type: 'string', format: 'idn-email', maxLength: MAX_EMAIL_LENGTH },
  rules: [
    rules.wellFormed,
    rules.atMostCharacters(MAX_EMAIL_LENGTH),
    rules.ofForm(isEmail, MAX_EMAIL_LENGTH, 'an address such as ada@example.com'),
  ],
  column: { type: 'varchar', length: MAX_EMAIL_LENGTH },
};

export const url: FieldKind<string> = {
  ...TEXT,
  schema: { type: 'string', format: 'uri', maxLength: MAX_URL },
  rules: [
    rules.wellFormed,
    rules.atMostCharacters(MAX_URL),
    rules.ofForm(
      (value) => /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value),
      MAX_URL,
      'an http or https URL',
    ),
  ],
  column: { type: 'varchar', length: MAX_URL },
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID (RFC 9562), in letters of either case. */
export const isUuid = (value: string): boolean => UUID.test(value);

export const uuid: FieldKind<string> = {
  ...TEXT,
  schema: { type: 'string', format: 'uuid' },
  rules: [rules.ofForm(isUuid, 36, 'a UUID')],
  column: { type: 'uuid' },
};

export const money: FieldKind<number> = {
  ...NUMERIC,
  schema: { type: 'number', minimum: 0, maximum: MAX_MONEY },
  decimals: 2,
  rules: [rules.atLeast(0), rules.atMost(MAX_MONEY), rules.atMostDecimals(2, MAX_MONEY)],
  column: { type: 'numeric', precision: 12, scale: 2, transformer: NUMBER },
};

export interface DecimalOptions {
  /** Digits in all, at most 15: more do not fit a JSON number. */
  readonly precision?: number;
  /** Digits after the point. */
  readonly scale?: number;
  readonly min?: number;
  readonly max?: number;
}

export function decimal({ precision = MAX_PRECISION, scale, min, max }: DecimalOptions): FieldKind<number> {
  if (precision > MAX_PRECISION) throw new Error(`precision ${precision}: a JSON number holds 15 digits`);
  // Without a scale it is any number, as responses show what they have computed.
  if (scale === undefined)
    return { ...NUMERIC, schema: { type: 'number' }, rules: [], column: { type: 'float8' } };
  const largest = (10 ** precision - 1) / 10 ** scale;
  return {
    ...NUMERIC,
    decimals: scale,
    schema: {
      type: 'number',
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    },
    rules: [
      rules.atLeast(min ?? -largest),
      rules.atMost(max ?? largest),
      rules.atMostDecimals(scale, largest),
    ],
    column: { type: 'numeric', precision, scale, transformer: NUMBER },
  };
}

export interface IntegerOptions {
  readonly min?: number;
  readonly max?: number;
}

export function integer({ min = 0, max = MAX_INTEGER }: IntegerOptions): FieldKind<number> {
  return {
    typeName: 'an integer',
    is: rules.isInteger,
    schema: { type: 'integer', minimum: min, maximum: max },
    decimals: 0,
    rules: [rules.atLeast(min), rules.atMost(max)],
    column: { type: 'int' },
  };
}

export function bigInteger({ min = 0, max = Number.MAX_SAFE_INTEGER }: IntegerOptions): FieldKind<number> {
  return { ...integer({ min, max }), column: { type: 'bigint', transformer: NUMBER } };
}

/** The largest id there can be: ids are PostgreSQL's `integer`. */
export const MAX_ID = MAX_INTEGER;

export const id: FieldKind<number> = integer({ min: 1, max: MAX_ID });

export const flag: FieldKind<boolean> = {
  typeName: 'true or false',
  is: rules.isBoolean,
  schema: { type: 'boolean' },
  rules: [],
  column: { type: 'boolean' },
};

export function choice(words: readonly string[]): FieldKind<string> {
  return {
    ...TEXT,
    schema: { type: 'string', enum: words },
    rules: [
      rules.among(
        (value) => words.includes(value),
        () => `one of ${words.join(', ')}`,
      ),
    ],
    column: { type: 'varchar', length: Math.max(20, ...words.map((word) => word.length)) },
  };
}

/** Whether a text is a day of the calendar: `2026-02-29` is none. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || value.startsWith('0000')) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

export const date: FieldKind<string> = {
  ...TEXT,
  schema: { type: 'string', format: 'date' },
  rules: [rules.ofForm(isDate, 10, 'a date such as 2026-11-20')],
  column: { type: 'date', transformer: DATE },
};

/** RFC 3339 §5.6, with an offset. */
const TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})$/i;

/** Whether a text is a time of the years 1 to 9999, in UTC too. */
function isTimestamp(value: string): boolean {
  const day = TIME.exec(value)?.[1];
  if (day === undefined || !isDate(day)) return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && /^(?!0000)\d{4}-/.test(time.toISOString());
}

export const timestamp: FieldKind<string> = {
  ...TEXT,
  schema: { type: 'string', format: 'date-time' },
  rules: [rules.ofForm(isTimestamp, 29, 'a time such as 2026-11-20T09:30:00.000Z')],
  column: { type: 'timestamptz', precision: 3, transformer: TIMESTAMP },
};
