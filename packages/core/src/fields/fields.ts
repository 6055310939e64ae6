import { DATE_CODEC, ID_CODEC, toUtcTimestamp, NUMBER_CODEC, TIMESTAMP_CODEC } from './codec.js';
import { isEmail, MAX_EMAIL_LENGTH } from './email.js';
import { Dto, field, FieldType, FieldOptions } from './field.js';
import { JsonSchema, formatRule, FieldRule, rulesFromSchema } from './rules.js';
import { JSON_TYPES } from './dto-schema.js';

// The field decorators of entities and DTOs. On an entity, they also declare the column of the field, if its type has a
// column. A name in lower case, such as `money`, is the field type that the decorator `@Money()` declares.

/** Creates a field type from its schema. @param ruled the schema from which the rules are made, if it is another one */
export function createFieldType(
  schema: JsonSchema,
  more: Partial<FieldType> = {},
  ruled = schema,
): FieldType {
  const rules = [...rulesFromSchema(ruled, more.maxDecimals), ...(more.rules ?? [])];
  return { ...JSON_TYPES[schema.type ?? 'object'], schema, ...more, rules };
}

const fieldDecorator =
  (kind: FieldType, byDefault: FieldOptions = {}) =>
  (options: FieldOptions = {}): PropertyDecorator =>
    field(kind, { ...byDefault, ...options });

/** Matches a character that people can see. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

const notBlank: FieldRule = {
  code: 'BLANK',
  isValid: (value: string) => VISIBLE.test(value),
  requirement: 'must not be blank',
};

export interface TextOptions {
  readonly min?: number;
  readonly max: number;
  /** Whether the text may be empty or consist only of blanks. */
  readonly blank?: boolean;
}

/**
 * The type of `@Text()` fields, for `where()`.
 * @example where(text({ max: 30 }), (tag, row) => `${row.tags} @> array[${tag}]`)
 */
export function text({ blank = false, min = blank ? 0 : 1, max }: TextOptions): FieldType {
  const schema = { type: 'string', minLength: min, maxLength: max } as const;
  const more = { rules: blank ? [] : [notBlank], column: { type: 'varchar', length: max } } as const;
  // For an empty text, report only BLANK, and not TOO_SHORT as well.
  return createFieldType(schema, more, { ...schema, minLength: min > 1 ? min : 0 });
}

/**
 * Text of `min` (by default 1) to `max` characters. It must not be blank, unless `blank` is set.
 * @example @Text({ max: 200 }) name: string;
 */
export const Text = (options: FieldOptions & TextOptions): PropertyDecorator => field(text(options), options);

interface PasswordOptions extends FieldOptions {
  readonly min?: number;
  /** Whether a password is too common to be accepted. */
  readonly isCommon?: (password: string) => boolean;
}

/**
 * A password in plain text, of `min` (by default 8) to 128 characters. It has no column, because only its hash is
 * stored.
 * @example @Password({ isCommon: isCommonPassword }) password: string;
 */
export function Password(options: PasswordOptions = {}): PropertyDecorator {
  const { min = 8, isCommon = () => false } = options;
  const notCommon: FieldRule = {
    code: 'TOO_COMMON',
    isValid: (value: string) => !isCommon(value),
    requirement: 'must not be one of the most common passwords',
  };
  const schema = { type: 'string', format: 'password', minLength: min, maxLength: 128 } as const;
  return field(createFieldType(schema, { rules: [notCommon] }), { ...options, isSecret: true });
}

const formattedText = (
  format: string,
  max: number,
  isRight: (value: string) => boolean,
  requirement: string,
): FieldType =>
  createFieldType(
    { type: 'string', format, maxLength: max },
    { rules: [formatRule(isRight, max, requirement)], column: { type: 'varchar', length: max } },
  );

export const email = formattedText(
  'idn-email',
  MAX_EMAIL_LENGTH,
  isEmail,
  'must be an address such as ada@example.com',
);

/**
 * An e-mail address of at most 254 characters, without quoted local parts; see `isEmail()`.
 * @example @Email() email: string;
 */
export const Email = fieldDecorator(email, { example: 'ada@example.com' });

const isUrl = (value: string): boolean => /^https?:\/\/[^\s]+$/i.test(value) && URL.canParse(value);

/** An http or https URL of at most 2048 characters. @example @Url({ nullable: true }) homepage: string | null; */
export const Url = fieldDecorator(formattedText('uri', 2048, isUrl, 'must be an http or https URL'), {
  example: 'https://example.com/',
});

interface DecimalOptions {
  /** The total number of digits. At most 15, because a JSON number holds no more. */
  readonly precision?: number;
  readonly scale?: number;
  readonly min?: number;
  readonly max?: number;
}

/**
 * The type of `@Decimal()` fields, for `where()`.
 * @throws Error for a precision above 15
 * @example where(decimal({ min: 0, max: 5, precision: 2, scale: 1 }), (least, row) => `${row.rating} >= ${least}`)
 */
export function decimal({ precision = 15, scale, min, max }: DecimalOptions): FieldType {
  if (precision > 15)
    throw new Error(`precision must be at most 15, the digits of a JSON number (got ${precision})`);
  const schema: JsonSchema = {
    type: 'number',
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
  };
  // Without a scale, any number is valid, for example a computed number in a response. JSON cannot represent infinity, as
  // which `1e400` is parsed.
  if (scale === undefined)
    return createFieldType(
      { type: 'number' },
      { column: { type: 'float8' } },
      { type: 'number', minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE },
    );
  const largest = (10 ** precision - 1) / 10 ** scale;
  const column = { type: 'numeric', precision, scale, transformer: NUMBER_CODEC } as const;
  return createFieldType(
    schema,
    { maxDecimals: scale, column },
    { minimum: -largest, maximum: largest, ...schema },
  );
}

/**
 * An exact number of up to `precision` digits, of which up to `scale` are after the decimal point. Without `scale`, the
 * field accepts any number.
 * @example @Decimal({ precision: 3, scale: 1 }) rating: number;
 */
export const Decimal = (options: FieldOptions & DecimalOptions = {}): PropertyDecorator =>
  field(decimal(options), options);

export const money = decimal({ precision: 12, scale: 2, min: 0, max: 9_999_999_999.99 });

/**
 * An exact amount of money: a JSON number from 0 to 9999999999.99 with at most two decimal places.
 * @example @Money() price: number;
 */
export const Money = fieldDecorator(money, { example: 19.99 });

/** The largest value of PostgreSQL's `integer`. */
const MAX_INTEGER = 2_147_483_647;

interface IntegerOptions {
  readonly min?: number;
  readonly max?: number;
}

/**
 * The type of `@Integer()` fields, for `where()`.
 * @example where(integer({ min: 0 }), (least, row) => `${row.stock} >= ${least}`)
 */
export const integer = ({ min = 0, max = MAX_INTEGER }: IntegerOptions): FieldType =>
  createFieldType(
    { type: 'integer', minimum: min, maximum: max },
    { maxDecimals: 0, column: { type: 'int' } },
  );

/**
 * A whole number from `min` (by default 0) to `max` (by default 2147483647).
 * @example @Integer({ min: 1, max: 5 }) rating: number;
 */
export const Integer = (options: FieldOptions & IntegerOptions = {}): PropertyDecorator =>
  field(integer(options), options);

/** The largest id. Ids are `bigint` in PostgreSQL, but numbers in JSON, which cannot hold a larger integer exactly. */
export const MAX_ID = Number.MAX_SAFE_INTEGER;

export const id = createFieldType(
  { type: 'integer', minimum: 1, maximum: MAX_ID },
  { maxDecimals: 0, column: { type: 'bigint', transformer: ID_CODEC } },
);

/**
 * The id of a resource: a positive integer that the server assigns, up to 9007199254740991.
 * @example @Id() productId: number;
 */
export const Id = fieldDecorator(id, { example: 42 });

export const flag = createFieldType({ type: 'boolean' }, { column: { type: 'boolean' } });

/** `true` or `false`. @example @Flag({ default: true }) active: boolean; */
export const Flag = fieldDecorator(flag);

export function choice(words: readonly string[]): FieldType {
  const length = Math.max(20, ...words.map((word) => word.length));
  return createFieldType({ type: 'string', enum: words }, { column: { type: 'varchar', length } });
}

/** One of a few words. Case matters. @example @Choice({ of: ['pending', 'paid'] }) status: 'pending' | 'paid'; */
export const Choice = (options: FieldOptions & { of: readonly string[] }): PropertyDecorator =>
  field(choice(options.of), options);

/** Whether text is a date that exists, unlike `2026-02-29`. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value) || value.startsWith('0000')) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

/** The type of `@DateOnly()` fields, for `where()`. */
export const date = createFieldType(
  { type: 'string', format: 'date' },
  {
    rules: [formatRule(isDate, 10, 'must be a date such as 2026-11-20')],
    column: { type: 'date', transformer: DATE_CODEC },
  },
);

/** A day without a time zone: `2026-11-20`. @example @DateOnly() bornOn: string; */
export const DateOnly = fieldDecorator(date, { example: '2026-11-20' });

/**
 * Matches a time (RFC 3339 §5.6). The fraction may have up to 9 digits, as Python, .NET and Go write it. The offset may
 * be missing.
 */
const TIMESTAMP_PATTERN =
  /^(\d{4}-\d{2}-\d{2})T(?!24)\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})?$/i;

/** Whether text is a time whose year is 1 to 9999, both as written and in UTC. */
function isTimestamp(value: string): boolean {
  const day = TIMESTAMP_PATTERN.exec(value)?.[1];
  if (day === undefined || !isDate(day)) return false;
  try {
    return /^(?!0000)\d{4}-/.test(toUtcTimestamp(value));
  } catch {
    return false;
  }
}

/** The type of `@Timestamp()` fields, for `where()`. */
export const timestamp = createFieldType(
  { type: 'string', format: 'date-time' },
  {
    rules: [formatRule(isTimestamp, 35, 'must be a time such as 2026-11-20T09:30:00.000Z')],
    column: { type: 'timestamptz', precision: 3, transformer: TIMESTAMP_CODEC },
  },
);

/**
 * A point in time (RFC 3339), stored to the millisecond. A time without an offset counts as UTC. Responses show the
 * time in UTC with `Z`.
 * @example @Timestamp({ nullable: true }) paidAt: string | null;
 */
export const Timestamp = fieldDecorator(timestamp, { example: '2026-11-20T09:30:00.000Z' });

/** An object with the fields of `dto`. It has no column. @example @Nested(AddressDto) address: AddressDto; */
export const Nested = (dto: Dto, options: FieldOptions = {}): PropertyDecorator =>
  field(createFieldType({ type: 'object' }, { nested: dto }), options);

/**
 * An array of `min` to `max` objects with the fields of `dto`. It has no column.
 * @example @ListOf(OrderItemDto, { min: 1, max: 100 }) items: OrderItemDto[];
 */
export function ListOf(dto: Dto, options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const schema = { type: 'array', minItems: options.min, maxItems: options.max } as const;
  return field(createFieldType(schema, { typeName: 'an array of objects', nested: dto }), options);
}
