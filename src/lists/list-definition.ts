import { JsonSchema } from '../fields/json-schema.js';
import * as values from './query-values.js';
import { Sort } from './sort.js';

export type FilterValue = string | number | boolean;

/** A query parameter that narrows a list: `<property> <operator> <value>`. */
export interface Filter {
  /** The property of the row that is compared. */
  readonly property: string;
  readonly operator: '=' | '>=' | '<=';
  /** How the text of the parameter is read; gives a fault where it is none of its values. */
  readonly read: values.ValueReader<FilterValue>;
  readonly schema: JsonSchema;
}

/** What can be asked of a collection. Paging, cursors, links, totals, validation and docs follow from it. */
export interface ListDefinition {
  /** The collection's name: its cursors are good for no other. */
  readonly name: string;
  readonly filters: Readonly<Record<string, Filter>>;
  /** Pairs of filters of which the first must not be above the second. */
  readonly ranges: readonly (readonly [lower: string, upper: string])[];
  readonly sorts: Readonly<Record<string, Sort>>;
  /** As it would be written in `sort`. */
  readonly defaultSort: string;
}

/**
 * Declares what can be asked of a collection. Each sort wants indexes, see `docs/lists.md`.
 *
 * @example defineList({ name: 'products', filters: { category: equalsText('category') }, sorts: { price: {} } })
 */
export function defineList(definition: {
  name: string;
  filters?: Record<string, Filter>;
  ranges?: [string, string][];
  sorts?: Record<string, Sort>;
  defaultSort?: string;
}): ListDefinition {
  const { name, filters = {}, ranges = [], sorts = {}, defaultSort = 'createdAt:desc' } = definition;
  return Object.freeze({
    name,
    filters,
    ranges,
    sorts: { createdAt: { type: 'timestamp' as const }, ...sorts },
    defaultSort,
  });
}

/** Rows whose text is exactly this. */
export const equalsText = (property: string, max = 200): Filter => ({
  property,
  operator: '=',
  read: values.text(max),
  schema: { type: 'string', maxLength: max },
});

/** Rows whose flag is this. */
export const equalsFlag = (property: string): Filter => ({
  property,
  operator: '=',
  read: values.flag,
  schema: { type: 'boolean' },
});

/** Rows that point at this id. */
export const equalsId = (property: string): Filter => ({
  property,
  operator: '=',
  read: values.id,
  schema: { type: 'integer', minimum: 1 },
});

/** Rows whose word is this one of a few. */
export const equalsChoice = (property: string, choices: readonly string[]): Filter => ({
  property,
  operator: '=',
  read: values.choice(choices),
  schema: { type: 'string', enum: choices },
});

/** Rows whose whole number from `min` to `max` is this. */
export const equalsInteger = (property: string, min: number, max: number): Filter => ({
  property,
  operator: '=',
  read: values.integer(min, max),
  schema: { type: 'integer', minimum: min, maximum: max },
});

/** Rows that cost this or more. */
export const atLeastMoney = (property: string): Filter => ({
  property,
  operator: '>=',
  read: values.amount,
  schema: { type: 'number', minimum: 0 },
});

/** Rows that cost this or less. */
export const atMostMoney = (property: string): Filter => ({
  property,
  operator: '<=',
  read: values.amount,
  schema: { type: 'number', minimum: 0 },
});
