import { isObject } from './constraints.js';
import { Dto, field, FieldKind, FieldOptions } from './field.js';
import * as kinds from './kinds.js';
import { atLeastItems, atMostItems, among, eachOnce, isArray, isText } from './rules.js';

// The fields that entities and DTOs are made of. On an entity each is a column as well.

const decorator =
  <T>(kind: FieldKind<T>, byDefault: FieldOptions = {}) =>
  (options: FieldOptions = {}): PropertyDecorator =>
    field(kind, { ...byDefault, ...options });

/** Text of `min` (1) to `max` characters; not blank unless `blank` says it may be. */
export function Text(options: FieldOptions & kinds.TextOptions): PropertyDecorator {
  return field(kinds.text(options), options);
}

/**
 * A password as it is received, of `min` (8) to 128 characters. Shown in no message, and no column: what is stored is a
 * hash of it.
 */
export function Password(options: FieldOptions & kinds.PasswordOptions = {}): PropertyDecorator {
  return field(kinds.password(options), { ...options, isSecret: true });
}

/** An e-mail address of at most 254 characters, without quoted local parts; see `isEmail()`. */
export const Email = decorator(kinds.email, { example: 'ada@example.com' });

/** An http or https URL of at most 2048 characters. */
export const Url = decorator(kinds.url, { example: 'https://example.com/' });

/** A UUID (RFC 9562). It is read in lower case. */
export const Uuid = decorator(kinds.uuid, { example: '0197d3a0-7c1e-7b2a-9d4f-3b1c5e6f7a8b' });

/** An amount of money: a JSON number from 0 to 9999999999.99 with at most two decimals, exact. */
export const Money = decorator(kinds.money, { example: 19.99 });

/** A number of `precision` digits, `scale` of them after the point, exact. Without `scale`, any number. */
export function Decimal(options: FieldOptions & kinds.DecimalOptions = {}): PropertyDecorator {
  return field(kinds.decimal(options), options);
}

/** A whole number from `min` (0) to `max` (2147483647). */
export function Integer(options: FieldOptions & kinds.IntegerOptions = {}): PropertyDecorator {
  return field(kinds.integer(options), options);
}

/** A whole number from `min` (0) to `max` (2⁵³−1, the largest that JSON carries exactly). */
export function BigInteger(options: FieldOptions & kinds.IntegerOptions = {}): PropertyDecorator {
  return field(kinds.bigInteger(options), options);
}

/** The id of a resource: a positive integer given by the server, up to 2147483647. */
export const Id = decorator(kinds.id, { example: 42 });

/** `true` or `false`. */
export const Flag = decorator(kinds.flag);

/** One of some words. */
export function Choice(options: FieldOptions & { of: readonly string[] }): PropertyDecorator {
  return field(kinds.choice(options.of), options);
}

/** Some words of a few, each once. */
export function Choices(options: FieldOptions & { of: readonly string[]; min: number }): PropertyDecorator {
  const { of: choices, min } = options;
  return field<readonly string[]>(
    {
      typeName: 'an array of strings',
      is: (value) => isArray(value) && value.every(isText),
      schema: {
        type: 'array',
        minItems: min,
        maxItems: choices.length,
        uniqueItems: true,
        items: { type: 'string', enum: choices },
      },
      rules: [
        among(
          (words) => words.every((word) => choices.includes(word)),
          () => `some of ${choices.join(', ')}`,
        ),
        eachOnce,
        atLeastItems(min),
      ],
      column: { type: 'varchar', array: true },
    },
    options,
  );
}

/** A day: `2026-11-20`, in no time zone. */
export const DateOnly = decorator(kinds.date, { example: '2026-11-20' });

/**
 * A point in time: ISO 8601 with an offset, to the millisecond. It is read as the service writes all times: in UTC,
 * with milliseconds and `Z`.
 */
export const Timestamp = decorator(kinds.timestamp, { example: '2026-11-20T09:30:00.000Z' });

/** An object of its own fields. */
export function Nested(dto: Dto, options: FieldOptions = {}): PropertyDecorator {
  const schema = { type: 'object' } as const;
  return field({ typeName: 'an object', is: isObject, schema, rules: [], nested: dto }, options);
}

/** `min` to `max` objects of the fields of `dto`. */
export function ListOf(dto: Dto, options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  return field(
    {
      typeName: 'an array of objects',
      is: isArray,
      schema: { type: 'array', minItems: min, maxItems: max },
      rules: [atLeastItems(min, ' items'), atMostItems(max, ' items')],
      nested: dto,
    },
    options,
  );
}
