import { countCharacters } from './characters.js';
import { Dto, field, FieldOptions, Rule } from './field.js';
import { JsonSchema } from './json-schema.js';

// The named fields that DTOs are made of. Shared by create, replace, patch and responses.

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isInteger = (value: unknown): value is number => Number.isInteger(value);
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isArray = (value: unknown): value is unknown[] => Array.isArray(value);

const wellFormed: Rule<string> = {
  code: 'BAD_CHARACTER',
  violated: (value) => (isWellFormedText(value) ? undefined : 'text without NUL and unpaired surrogates'),
};

const notBlank: Rule<string> = {
  code: 'BLANK',
  violated: (value) => (/\S/.test(value) ? undefined : 'text that is not blank'),
};

const atLeastCharacters = (min: number): Rule<string> => ({
  code: 'TOO_SHORT',
  violated: (value) => (countCharacters(value) < min ? `at least ${min} characters` : undefined),
});

const atMostCharacters = (max: number): Rule<string> => ({
  code: 'TOO_LONG',
  violated: (value) => (countCharacters(value) > max ? `at most ${max} characters` : undefined),
});

const atLeast = (min: number): Rule<number> => ({
  code: 'TOO_SMALL',
  violated: (value) => (value < min ? `at least ${min}` : undefined),
});

const atMost = (max: number): Rule<number> => ({
  code: 'TOO_LARGE',
  violated: (value) => (value > max ? `at most ${max}` : undefined),
});

/** Whether PostgreSQL can store the text as it is: no NUL, no half of a surrogate pair. */
export function isWellFormedText(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed();
}

/** Text of `min` (1) to `max` characters; not blank unless `blank` says it may be. */
export function Text(
  options: FieldOptions & { min?: number; max: number; blank?: boolean },
): PropertyDecorator {
  const { min = options.blank ? 0 : 1, max, blank } = options;
  const shortness = min > 1 ? [atLeastCharacters(min)] : [];
  return field(
    {
      typeName: 'a string',
      is: isText,
      schema: { type: 'string', minLength: min, maxLength: max },
      rules: [wellFormed, ...(blank ? [] : [notBlank]), ...shortness, atMostCharacters(max)],
    },
    options,
  );
}

/**
 * A password as it is received, of `min` (8) to 128 characters. Never shown.
 *
 * @param options.isCommon knows those that are too common to be chosen
 */
export function Password(
  options: FieldOptions & { min?: number; isCommon?: (password: string) => boolean } = {},
): PropertyDecorator {
  const { min = 8, isCommon } = options;
  const notCommon: Rule<string> = {
    code: 'TOO_COMMON',
    violated: (value) => (isCommon?.(value) ? 'a password that is not among the commonest' : undefined),
  };
  return field(
    {
      typeName: 'a string',
      is: isText,
      schema: { type: 'string', format: 'password', minLength: min, maxLength: 128, writeOnly: true },
      rules: [wellFormed, atLeastCharacters(min), atMostCharacters(128), ...(isCommon ? [notCommon] : [])],
    },
    { ...options, isSecret: true },
  );
}

/** Characters of an atom (RFC 5321 §4.1.2, RFC 6531 §3.3) and the dots between atoms. */
const DOT_STRING =
  /^[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+(?:\.[\w!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+)*$/u;
/** A label of a domain; letters may carry marks, as those of Hindi do. */
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;
/** Control, zero-width and bidirectional characters, blanks, and others that nobody can see. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** Whether text is an address: a dot-string, `@` and a domain of labels of up to 63 characters (RFC 5321 §4.1.2). */
export function isEmail(text: string): boolean {
  // The length is judged first: patterns are only run on short text.
  if (text.length > 2 * MAX_EMAIL_LENGTH || countCharacters(text) > MAX_EMAIL_LENGTH) return false;
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  return (
    at > 0 &&
    !UNSEEN.test(text) &&
    DOT_STRING.test(text.slice(0, at)) &&
    domain.split('.').every((label) => LABEL.test(label))
  );
}

/** RFC 5321 §4.5.3.1.3: a path is 256 octets, its brackets among them. */
const MAX_EMAIL_LENGTH = 254;

/** An e-mail address of at most 254 characters, without quoted local parts; see `isEmail()`. */
export function Email(options: FieldOptions = {}): PropertyDecorator {
  const badFormat: Rule<string> = {
    code: 'BAD_FORMAT',
    violated: (value) => (isEmail(value) ? undefined : 'an address such as ada@example.com'),
  };
  return field(
    {
      typeName: 'a string',
      is: isText,
      schema: { type: 'string', format: 'email', maxLength: MAX_EMAIL_LENGTH },
      rules: [wellFormed, atMostCharacters(MAX_EMAIL_LENGTH), badFormat],
    },
    { example: 'ada@example.com', ...options },
  );
}

/** The largest amount that `numeric(12,2)` holds. */
export const MAX_MONEY = 9_999_999_999.99;

/** Whether a number has at most two decimals as it is written in JSON. */
export function hasCents(value: number): boolean {
  // The shortest text that reads back as the same number is what the client wrote, up to trailing zeros.
  return /^-?\d+(\.\d{1,2})?$/.test(String(value));
}

/** What a number takes that has too many decimals. */
export const withDecimals = (most: number): string => `a number with at most ${most} decimals`;

/** An amount of money: a JSON number from 0 to 9999999999.99 with at most two decimals, exact. */
export function Money(options: FieldOptions = {}): PropertyDecorator {
  const cents: Rule<number> = {
    code: 'TOO_PRECISE',
    violated: (value) => (hasCents(value) || Math.abs(value) > MAX_MONEY ? undefined : withDecimals(2)),
  };
  return field(
    {
      typeName: 'a number',
      is: isNumber,
      schema: { type: 'number', minimum: 0, maximum: MAX_MONEY },
      decimals: 2,
      rules: [atLeast(0), atMost(MAX_MONEY), cents],
    },
    { example: 19.99, ...options },
  );
}

/** A whole number from `min` to `max`. */
export function Integer(options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  return field(
    {
      typeName: 'an integer',
      is: isInteger,
      schema: { type: 'integer', minimum: min, maximum: max },
      decimals: 0,
      rules: [atLeast(min), atMost(max)],
    },
    options,
  );
}

/** Any number: of responses only. */
export function Decimal(options: FieldOptions = {}): PropertyDecorator {
  return field({ typeName: 'a number', is: isNumber, schema: { type: 'number' }, rules: [] }, options);
}

/** `true` or `false`. */
export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return field({ typeName: 'true or false', is: isBoolean, schema: { type: 'boolean' }, rules: [] }, options);
}

/** One of some words. */
export function Choice(options: FieldOptions & { of: readonly string[] }): PropertyDecorator {
  const notAllowed: Rule<string> = {
    code: 'NOT_ALLOWED',
    violated: (value) => (options.of.includes(value) ? undefined : `one of ${options.of.join(', ')}`),
  };
  return field(
    { typeName: 'a string', is: isText, schema: { type: 'string', enum: options.of }, rules: [notAllowed] },
    options,
  );
}

/** Some words of a few, each once. */
export function Choices(options: FieldOptions & { of: readonly string[]; min: number }): PropertyDecorator {
  const { of: choices, min } = options;
  const isWords = (value: unknown): value is string[] => isArray(value) && value.every(isText);
  const rules: Rule<string[]>[] = [
    {
      code: 'NOT_ALLOWED',
      violated: (words) =>
        words.every((word) => choices.includes(word)) ? undefined : `some of ${choices.join(', ')}`,
    },
    {
      code: 'DUPLICATE',
      violated: (words) => (new Set(words).size < words.length ? 'each once' : undefined),
    },
    { code: 'TOO_FEW', violated: (words) => (words.length < min ? `at least ${min}` : undefined) },
  ];
  const schema: JsonSchema = { type: 'array', minItems: min, items: { type: 'string', enum: choices } };
  return field({ typeName: 'an array of strings', is: isWords, schema, rules }, options);
}

/** The largest id there can be: ids are PostgreSQL's `integer`. */
export const MAX_ID = 2_147_483_647;

/** The id of a resource: a positive integer given by the server, up to 2147483647. */
export function Id(options: FieldOptions = {}): PropertyDecorator {
  return Integer({ example: 42, ...options, min: 1, max: MAX_ID });
}

/** A point in time as the service writes it: ISO 8601, UTC, milliseconds, `Z`. Of responses only. */
export function Timestamp(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { typeName: 'a string', is: isText, schema: { type: 'string', format: 'date-time' }, rules: [] },
    { example: '2026-11-20T09:30:00.000Z', ...options },
  );
}

/** An object of its own fields. */
export function Nested(dto: Dto, options: FieldOptions = {}): PropertyDecorator {
  const isObject = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return field(
    { typeName: 'an object', is: isObject, schema: { type: 'object' }, rules: [], nested: dto },
    options,
  );
}

/** `min` to `max` objects of the fields of `dto`. */
export function ListOf(dto: Dto, options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  const few: Rule<unknown[]> = {
    code: 'TOO_FEW',
    violated: (value) => (value.length < min ? `at least ${min} items` : undefined),
  };
  const many: Rule<unknown[]> = {
    code: 'TOO_MANY',
    violated: (value) => (value.length > max ? `at most ${max} items` : undefined),
  };
  return field(
    {
      typeName: 'an array of objects',
      is: isArray,
      schema: { type: 'array', minItems: min, maxItems: max },
      rules: [few, many],
      nested: dto,
    },
    options,
  );
}
