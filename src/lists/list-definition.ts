import { JsonSchema } from '../fields/json-schema.js';
import * as values from './query-values.js';
import { Direction } from './sort.js';

export type FilterValue = string | number | boolean;

/** A query parameter that narrows a list: `<property> <operator> <value>`. */
export interface Filter<Property extends string = string> {
  /** The property of the entity that is compared. */
  readonly property: Property;
  readonly operator: '=' | '>=' | '<=';
  /** How the text of the parameter is read; gives a fault where it is none of its values. */
  readonly read: values.ValueReader<FilterValue>;
  readonly schema: JsonSchema;
}

/** The class of an entity. */
export type EntityClass<Entity extends object = object> = abstract new (...parameters: never[]) => Entity;

/** What can be asked of a collection. Paging, cursors, links, totals, validation and docs follow from it. */
export interface ListDefinition {
  /** The collection's name: its cursors are good for no other. */
  readonly name: string;
  /** What the list is of. */
  readonly entity: EntityClass;
  readonly filters: Readonly<Record<string, Filter>>;
  /** Pairs of filters of which the first must not be above the second. */
  readonly ranges: readonly (readonly [lower: string, upper: string])[];
  /** The properties that it can be sorted by. */
  readonly sorts: readonly string[];
  /** Sorts that need no index, because the list is narrowed to a few rows before it is sorted. */
  readonly unindexed: readonly string[];
  /** As it would be written in `sort`. */
  readonly defaultSort: string;
}

/**
 * Declares what can be asked of a collection. `createdAt` is among its sorts without being named. Each sort wants
 * indexes, see `docs/lists.md`. A property that the entity does not have is refused at start.
 *
 * @example
 * defineList(Product, { name: 'products', filters: { category: equalsText('category') }, sorts: ['price'] })
 */
export function defineList<Entity extends object, Name extends string = never>(
  entity: EntityClass<Entity>,
  definition: {
    name: string;
    filters?: Readonly<Record<Name, Filter<keyof Entity & string>>>;
    ranges?: readonly (readonly [lower: NoInfer<Name>, upper: NoInfer<Name>])[];
    sorts?: readonly (keyof Entity & string)[];
    unindexed?: readonly (keyof Entity & string)[];
    defaultSort?: `${keyof Entity & string}:${Direction}`;
  },
): ListDefinition {
  const { name, filters = {}, ranges = [], sorts = [], unindexed = [] } = definition;
  return Object.freeze({
    name,
    entity,
    filters,
    ranges,
    sorts: ['createdAt', ...sorts.filter((sort) => sort !== 'createdAt')],
    unindexed,
    defaultSort: definition.defaultSort ?? 'createdAt:desc',
  });
}

/** Rows whose text is exactly this. */
export const equalsText = <P extends string>(property: P, max = 200): Filter<P> => ({
  property,
  operator: '=',
  read: values.text(max),
  schema: { type: 'string', maxLength: max },
});

/** Rows whose flag is this. */
export const equalsFlag = <P extends string>(property: P): Filter<P> => ({
  property,
  operator: '=',
  read: values.flag,
  schema: { type: 'boolean' },
});

/** Rows that point at this id. */
export const equalsId = <P extends string>(property: P): Filter<P> => ({
  property,
  operator: '=',
  read: values.id,
  schema: { type: 'integer', minimum: 1 },
});

/** Rows whose word is this one of a few. */
export const equalsChoice = <P extends string>(property: P, choices: readonly string[]): Filter<P> => ({
  property,
  operator: '=',
  read: values.choice(choices),
  schema: { type: 'string', enum: choices },
});

/** Rows whose whole number from `min` to `max` is this. */
export const equalsInteger = <P extends string>(property: P, min: number, max: number): Filter<P> => ({
  property,
  operator: '=',
  read: values.integer(min, max),
  schema: { type: 'integer', minimum: min, maximum: max },
});

/** Rows that cost this or more. */
export const atLeastMoney = <P extends string>(property: P): Filter<P> => ({
  property,
  operator: '>=',
  read: values.amount,
  schema: { type: 'number', minimum: 0 },
});

/** Rows that cost this or less. */
export const atMostMoney = <P extends string>(property: P): Filter<P> => ({
  property,
  operator: '<=',
  read: values.amount,
  schema: { type: 'number', minimum: 0 },
});
