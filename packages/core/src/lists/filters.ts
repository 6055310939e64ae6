import { Columns } from '../database/entity-table.js';
import { toUtcTimestamp } from '../fields/codec.js';
import { FaultCode } from '../fields/faults.js';
import { FieldType } from '../fields/field.js';
import { JsonSchema } from '../fields/rules.js';
import * as kinds from '../fields/fields.js';

// The filters that lists are declared with. What a client sends is always a parameter of the statement.

export type FilterValue = string | number | boolean;

export class ValueFault {
  constructor(
    readonly code: FaultCode,
    readonly expected: string,
  ) {}
}

/** Reads the text of a query parameter strictly: no blanks, no exponents, no other spellings. */
export type ValueReader<T> = (text: string) => T | ValueFault;

export interface FilterParameter {
  readonly read: ValueReader<FilterValue>;
  readonly schema: JsonSchema;
}

type Operator = '=' | '>=' | '<=' | '<';

/** How often a parameter of `anyOf` is taken. */
export const MAX_FILTER_VALUES = 100;

/** A query parameter that narrows a list of rows of `Entity`. */
export interface Filter<Entity> {
  /** The property that is compared, whose field says what the parameter takes. */
  readonly property?: string;
  /** The kind of the parameter, where it compares no property. */
  readonly kind?: FieldType;
  /** @param value the placeholder of what the client sends */
  readonly sql: (value: string, row: Columns<Entity>) => string;
  /** How the property is compared. Filters by `=` can be among the totals of a list; `>=` with `<=` or `<` is a range. */
  readonly operator?: Operator;
  /** Takes its parameter several times, for rows of any of the values: the placeholder is `any(…)` then. */
  readonly isAnyOf?: boolean;
  readonly description: string;
}

const comparison =
  (operator: Operator, words: string, more: { readonly isAnyOf?: boolean } = {}) =>
  <P extends string>(property: P): Filter<Record<P, unknown>> => ({
    property,
    operator,
    sql: (value, row) => `${row[property]} ${operator} ${value}`,
    description: `Only where \`${property}\` ${words}.`,
    ...more,
  });

/** Rows whose property is the value. @example category: equals('category') // ?category=lamps */
export const equals = comparison('=', 'equals this');

/**
 * Rows whose property is any of the values: the parameter is taken up to 100 times.
 * @example status: anyOf('status') // ?status=pending&status=paid
 */
export const anyOf = comparison('=', 'equals this, or any of these', { isAnyOf: true });

/**
 * Rows whose property, a number, day or time, is the value or more. A range that ends before it begins is refused.
 * @example minPrice: atLeast('price') // ?minPrice=10
 */
export const atLeast = comparison('>=', 'is at least this');

/**
 * Rows whose property, a number, day or time, is the value or less.
 * @example maxPrice: atMost('price') // ?maxPrice=20
 */
export const atMost = comparison('<=', 'is at most this');

/**
 * Rows whose property, a number, day or time, is less than the value.
 * @example paidBefore: lessThan('paidAt') // ?paidBefore=2026-12-01T00:00:00Z
 */
export const lessThan = comparison('<', 'is less than this');

/**
 * Rows of which SQL is true. `value` is the placeholder of what the client sends, `row` names the columns of the table.
 * @example where(text({ max: 30 }), (tag, row) => `${row.tags} @> array[${tag}]`, { description: 'With this tag.' })
 */
export const where = <Entity>(
  kind: FieldType,
  sql: (value: string, row: Columns<Entity>) => string,
  { description }: { readonly description: string },
): Filter<Entity> => ({ kind, sql, description });

/** Longer numbers mean nothing more, and would come back in every link of a page. */
const INTEGER = /^-?\d{1,500}$/;
const DECIMAL = /^-?\d{1,30}(\.\d{1,30})?$/;
/** Forms of text that PostgreSQL has types for: what is not of them is of the wrong type. */
const TYPED_FORMATS: readonly unknown[] = ['date', 'date-time'];
/** The rules of a field that what is looked for follows as well: text of another form is only found nowhere. */
const FILTER_RULES: readonly FaultCode[] = [
  'BAD_CHARACTER',
  'TOO_LONG',
  'TOO_SMALL',
  'TOO_LARGE',
  'NOT_ALLOWED',
];

/** Reads a text, a whole number or a flag, judged by the rules of its kind. */
export function valueReaderFor<T extends FilterValue>(kind: FieldType): ValueReader<T> {
  const { isOfType, rules, typeName } = kind;
  const { type, format } = kind.schema;
  const isTyped = TYPED_FORMATS.includes(format);
  return (text) => {
    let value: unknown = text;
    // Beyond all numbers lies no other value than beyond the bounds.
    if (type === 'integer' && INTEGER.test(text))
      value = Math.max(-Number.MAX_VALUE, Math.min(Number(text), Number.MAX_VALUE));
    if (type === 'boolean' && (text === 'true' || text === 'false')) value = text === 'true';
    if (!isOfType(value)) return new ValueFault('WRONG_TYPE', typeName);
    const broken = rules.find(
      (rule) => (isTyped || FILTER_RULES.includes(rule.code)) && !rule.isValid(value),
    );
    if (broken) return new ValueFault(isTyped ? 'WRONG_TYPE' : broken.code, broken.requirement);
    // RFC 3339 has offsets that PostgreSQL refuses, and more digits than are kept.
    return (format === 'date-time' ? toUtcTimestamp(text) : value) as T;
  };
}

/** An id that no resource can have is still one: nothing has it. */
const readIdFilter: ValueReader<number> = (text) => {
  if (text.startsWith('-') || !INTEGER.test(text)) return new ValueFault('WRONG_TYPE', 'a positive integer');
  return Number(text) <= kinds.MAX_ID ? Number(text) : 0;
};

/** How a filter reads its parameter. @throws Error for kinds that it cannot compare */
export function filterParameterFor(
  kind: FieldType,
  operator: Filter<never>['operator'] = '=',
): FilterParameter {
  const { type, format, minimum, maximum, enum: words, maxLength } = kind.schema;
  const isOrdered = type === 'integer' || type === 'number' || TYPED_FORMATS.includes(format);
  if (operator !== '=' && !isOrdered) throw new Error('takes numbers, days and times');
  if (operator === '=' && kind === kinds.id)
    return { read: readIdFilter, schema: { type: 'integer', minimum: 1 } };
  if (type === 'number') {
    // Kept as text: PostgreSQL compares it in decimal.
    const read: ValueReader<string> = (text) => {
      if (!DECIMAL.test(text)) return new ValueFault('WRONG_TYPE', 'a number');
      return Number(text) < (minimum ?? -Infinity)
        ? new ValueFault('TOO_SMALL', `at least ${minimum}`)
        : text;
    };
    return { read, schema: { type, minimum } };
  }
  if (!['integer', 'boolean', 'string'].includes(String(type)) || format === 'password')
    throw new Error(`no parameter takes ${kind.typeName}`);
  return { read: valueReaderFor(kind), schema: { type, format, minimum, maximum, enum: words, maxLength } };
}
