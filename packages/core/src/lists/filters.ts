import { Columns } from '../database/entity-table.js';
import { toUtcTimestamp } from '../fields/codec.js';
import { FaultCode } from '../fields/faults.js';
import { FieldType } from '../fields/field.js';
import { JsonSchema } from '../fields/rules.js';
import * as kinds from '../fields/fields.js';

// The filters with which you declare a list. The value that a client sends is passed to PostgreSQL as a parameter. Only a
// parsed boolean is written into the statement, as `true` or `false`: see `buildWhere()` in list-sql.ts.

export type FilterValue = string | number | boolean;

/** The reason why a value is not accepted. `requirement` completes a message: `must be a number`. */
export class ValueFault {
  constructor(
    readonly code: FaultCode,
    readonly requirement: string,
  ) {}
}

/** Reads the text of a query parameter strictly. For example, it rejects a number with a blank or an exponent. */
export type ValueReader<T> = (text: string) => T | ValueFault;

export interface FilterParameter {
  readonly read: ValueReader<FilterValue>;
  readonly schema: JsonSchema;
}

type Operator = '=' | '>=' | '<=' | '<' | '@>';

/** The maximum number of values that a client may send for one filter. */
export const MAX_FILTER_VALUES = 100;

/** A query parameter that filters a list of rows of `Entity`. */
export interface Filter<Entity> {
  /** The property that is compared. The type of its field determines which values the parameter accepts. */
  readonly property?: string;
  /** The type of the parameter, if the filter has no `property`. */
  readonly kind?: FieldType;
  /** @param value the placeholder of the value that the client sends */
  readonly sql: (value: string, row: Columns<Entity>) => string;
  /** For a property with JSON, the names that lead to the member that is compared. */
  readonly members?: readonly string[];
  /** Returns the SQL of the array or the JSON that the property must contain. @param value SQL of the value */
  readonly contained?: (value: string) => string;
  /**
   * How the property is compared. Only filters with `=` can have totals. A filter with `>=` forms a range with a filter
   * with `<=` or `<` on the same property.
   */
  readonly operator?: Operator;
  /** Whether the client may repeat the parameter, to match any of several values. The placeholder is then `any(…)`. */
  readonly isAnyOf?: boolean;
  /** Whether the client may repeat the parameter, to match all of several values. The placeholder is then an array. */
  readonly isAllOf?: boolean;
  readonly description: string;
}

/** Whether a client may send several values of a filter. */
export const isRepeatableFilter = (filter: Filter<never> | undefined): boolean =>
  filter?.isAnyOf === true || filter?.isAllOf === true;

const comparison =
  (operator: Operator, words: string, more: { readonly isAnyOf?: boolean } = {}) =>
  <P extends string>(property: P): Filter<Record<P, unknown>> => ({
    property,
    operator,
    sql: (value, row) => `${row[property]} ${operator} ${value}`,
    description: words.replace('{property}', `\`${property}\``),
    ...more,
  });

/** Finds rows whose property is the value. @example category: equals('category') // ?category=lamps */
export const equals = comparison('=', 'Filters by {property}.');

/**
 * Finds rows whose property is any of the values. The client may repeat the parameter up to 100 times.
 * @example status: anyOf('status') // ?status=pending&status=paid
 */
export const anyOf = comparison(
  '=',
  'Filters by {property}. Repeat the parameter to match any of several values.',
  { isAnyOf: true },
);

/**
 * Finds rows whose property is at least the value. The property must be a number, a day or a time. Together with
 * `atMost` or `lessThan` on the same property, the filter forms a range, which must not end before it begins.
 * @example minPrice: atLeast('price') // ?minPrice=10
 */
export const atLeast = comparison('>=', 'Returns only items whose {property} is at least this value.');

/**
 * Finds rows whose property is at most the value. The property must be a number, a day or a time.
 * @example maxPrice: atMost('price') // ?maxPrice=20
 */
export const atMost = comparison('<=', 'Returns only items whose {property} is at most this value.');

/**
 * Finds rows whose property is less than the value. The property must be a number, a day or a time.
 * @example paidBefore: lessThan('paidAt') // ?paidBefore=2026-12-01T00:00:00Z
 */
export const lessThan = comparison('<', 'Returns only items whose {property} is less than this value.');

/**
 * Finds rows for which an SQL condition is true. Use it only if no other filter fits, because it cannot have totals.
 * @param kind the type of the parameter
 * @param sql builds the condition from the placeholder of the value that the client sends, and the columns of the table
 * @example where(text({ max: 30 }), (tag, row) => `${row.tags} @> array[${tag}]`, { description: 'Filters by tag.' })
 */
export const where = <Entity>(
  kind: FieldType,
  sql: (value: string, row: Columns<Entity>) => string,
  { description }: { readonly description: string },
): Filter<Entity> => ({ kind, sql, description });

/** The number of digits is limited, because the links to other pages of a list repeat the value. */
const INTEGER = /^-?\d{1,500}$/;
const DECIMAL = /^-?\d{1,30}(\.\d{1,30})?$/;
/** Formats of text for which PostgreSQL has a type. Text that does not have the format is a `WRONG_TYPE`. */
const TYPED_FORMATS: readonly unknown[] = ['date', 'date-time'];
/**
 * The rules of a field that its filters check, too. A value that breaks any other rule is accepted, and matches no row.
 */
const FILTER_RULES: readonly FaultCode[] = [
  'BAD_CHARACTER',
  'TOO_LONG',
  'TOO_SMALL',
  'TOO_LARGE',
  'NOT_ALLOWED',
];

/** Returns a function that reads a text, an integer or a boolean, and that checks the rules of the field type. */
export function valueReaderFor<T extends FilterValue>(kind: FieldType): ValueReader<T> {
  const { isOfType, rules, typeName } = kind;
  const { type, format } = kind.schema;
  const isTyped = TYPED_FORMATS.includes(format);
  return (text) => {
    let value: unknown = text;
    // Replace an integer beyond the range of a double by the largest double. This changes the result of no comparison.
    if (type === 'integer' && INTEGER.test(text))
      value = Math.max(-Number.MAX_VALUE, Math.min(Number(text), Number.MAX_VALUE));
    if (type === 'boolean' && (text === 'true' || text === 'false')) value = text === 'true';
    if (!isOfType(value)) return new ValueFault('WRONG_TYPE', `must be ${typeName}`);
    const broken = rules.find(
      (rule) => (isTyped || FILTER_RULES.includes(rule.code)) && !rule.isValid(value),
    );
    if (broken) return new ValueFault(isTyped ? 'WRONG_TYPE' : broken.code, broken.requirement);
    // RFC 3339 allows offsets that PostgreSQL rejects, and more digits than PostgreSQL stores.
    return (format === 'date-time' ? toUtcTimestamp(text) : value) as T;
  };
}

/** Reads the value of an id filter. A number that is too large for an id becomes 0, which is the id of no row. */
const readIdFilter: ValueReader<number> = (text) => {
  if (text.startsWith('-') || !INTEGER.test(text))
    return new ValueFault('WRONG_TYPE', 'must be a positive integer');
  return Number(text) <= kinds.MAX_ID ? Number(text) : 0;
};

/** Returns how a filter reads and documents its parameter. @throws Error for a type that filters cannot compare */
export function filterParameterFor(
  kind: FieldType,
  operator: Filter<never>['operator'] = '=',
): FilterParameter {
  const { type, format, minimum, maximum, enum: words, maxLength } = kind.schema;
  const isOrdered = type === 'integer' || type === 'number' || TYPED_FORMATS.includes(format);
  if (operator !== '=' && operator !== '@>' && !isOrdered)
    throw new Error('must compare a number, a day or a time');
  if ((operator === '=' || operator === '@>') && kind === kinds.id)
    return { read: readIdFilter, schema: { type: 'integer', minimum: 1 } };
  if (type === 'number') {
    // Return the text itself, because PostgreSQL compares it as an exact decimal number.
    const read: ValueReader<string> = (text) => {
      if (!DECIMAL.test(text)) return new ValueFault('WRONG_TYPE', 'must be a number');
      return Number(text) < (minimum ?? -Infinity)
        ? new ValueFault('TOO_SMALL', `must be at least ${minimum}`)
        : text;
    };
    return { read, schema: { type, minimum } };
  }
  if (!['integer', 'boolean', 'string'].includes(String(type)) || format === 'password')
    throw new Error(`a query parameter cannot be ${kind.typeName}`);
  return { read: valueReaderFor(kind), schema: { type, format, minimum, maximum, enum: words, maxLength } };
}
