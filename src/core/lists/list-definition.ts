import { Columns } from '../database/operands.js';
import { fieldsOf } from '../fields/field.js';
import { JsonSchema } from '../fields/json-schema.js';
import { Filter, FilterValue } from './filters.js';
import { ValueReader } from './kind-reader.js';
import { Direction } from './sort.js';

/** The class of an entity. */
export type EntityClass<Entity extends object = object> = abstract new (...parameters: never[]) => Entity;

/** A filter of a list, with what follows from the entity's fields. */
export interface ListFilter extends Filter<never> {
  readonly name: string;
  readonly read: ValueReader<FilterValue>;
  readonly schema: JsonSchema;
  /** Why it cannot be asked for: the service does not start. */
  readonly fault?: string;
}

/**
 * The filters, sorts and totals of a collection. Paging, cursors, links, totals, validation and docs follow from it.
 */
export interface ListDefinition {
  /** The collection's name: its cursors are good for no other. */
  readonly name: string;
  /** The entity whose rows are listed. */
  readonly entity: EntityClass;
  /** The condition on all its rows. */
  readonly only: ((row: Columns<never>) => string) | undefined;
  readonly filters: ReadonlyMap<string, ListFilter>;
  /** Pairs of filters of which the first must not be above the second. */
  readonly ranges: readonly (readonly [lower: string, upper: string])[];
  /** The properties that it can be sorted by. */
  readonly sorts: readonly string[];
  /** Sorts that need no index, because the list is narrowed to a few rows before it is sorted. */
  readonly unindexed: readonly string[];
  /** As it would be written in `sort`. */
  readonly defaultSort: string;
  /** The properties that totals are kept by; `undefined`: they are counted. */
  readonly totals: readonly string[] | undefined;
}

/**
 * Declares what can be asked of a collection. How a parameter is read, what it may be, and where nulls go, follows from
 * the fields of the entity. `createdAt` is among the sorts without being named. Each sort wants indexes, see
 * `docs/adding-a-filter.md`. What cannot be found or walked is refused at start.
 *
 * @example
 * defineList(Product, { name: 'products', filters: { category: equals('category') }, sorts: ['price'] })
 */
export function defineList<Entity extends object>(
  entity: EntityClass<Entity>,
  definition: {
    name: string;
    /** SQL that is true of the rows that the list shows; left out: all of the table. */
    only?: (row: Columns<NoInfer<Entity>>) => string;
    filters?: Readonly<Record<string, Filter<NoInfer<Entity>>>>;
    sorts?: readonly (keyof NoInfer<Entity> & string)[];
    unindexed?: readonly (keyof NoInfer<Entity> & string)[];
    defaultSort?: `${keyof NoInfer<Entity> & string}:${Direction}`;
    /**
     * Keeps the totals of the table by the values of these properties, so that no request counts: those of the whole
     * list, and of what `equals` filters on some of them leave. `[]`: of the whole list alone. A migration makes them.
     */
    totals?: readonly (keyof NoInfer<Entity> & string)[];
  },
): ListDefinition {
  const { name, only, filters = {}, sorts = [], unindexed = [] } = definition;
  const resolved = Object.entries(filters).map(([parameter, filter]) => resolve(entity, parameter, filter));
  return Object.freeze({
    name,
    entity,
    only,
    filters: new Map(resolved.map((filter) => [filter.name, filter])),
    ranges: rangesOf(resolved),
    sorts: ['createdAt', ...sorts.filter((sort) => sort !== 'createdAt')],
    unindexed,
    defaultSort: definition.defaultSort ?? 'createdAt:desc',
    totals: definition.totals,
  });
}

/** A list as it is offered where the path names some of its properties: without the filters on those. */
export function offeredBeside(definition: ListDefinition, named: readonly string[]): ListDefinition {
  const filters = [...definition.filters].filter(([, { property = '' }]) => !named.includes(property));
  return { ...definition, filters: new Map(filters) };
}

function resolve(entity: EntityClass, name: string, filter: Filter<never>): ListFilter {
  try {
    const { property = '' } = filter;
    const kind = filter.kind ?? fieldsOf(entity).get(property)?.kind;
    if (!kind)
      throw new Error(
        `${entity.name} has no field ${property}; where it has a column, give the filter its kind`,
      );
    return { ...filter, name, kind, ...filter.readingOf(kind) };
  } catch (error) {
    // Told when the service starts, with all else that is wrong with lists.
    return { ...filter, name, read: (text) => text, schema: {}, fault: (error as Error).message };
  }
}

/** The filters that are the two bounds of one property. */
function rangesOf(filters: readonly ListFilter[]): (readonly [string, string])[] {
  return filters
    .filter(({ bound }) => bound === 'lower')
    .flatMap((lower) =>
      filters
        .filter(({ bound, property }) => bound === 'upper' && property === lower.property)
        .map((upper) => [lower.name, upper.name] as const),
    );
}
