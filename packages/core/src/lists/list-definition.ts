import { Columns } from '../database/entity-table.js';
import { FieldType, FieldClass, fieldsOf } from '../fields/field.js';
import { id, timestamp } from '../fields/fields.js';
import { QueryParameters } from '../routes/route-policy.js';
import { resolveContains } from './contains.js';
import { anyOf, atLeast, Filter, lessThan, FilterParameter, filterParameterFor } from './filters.js';
import { SEARCH_FILTER, SearchWeights } from './search.js';
import { Direction } from './sort.js';

export interface ListFilter extends Filter<never>, FilterParameter {
  readonly name: string;
  readonly kind: FieldType;
}

/**
 * `count` counts the rows with each value of a property. `range` returns the lowest and the highest value of the
 * property.
 */
export type FacetKind = 'count' | 'range';

/**
 * A list that `defineList()` has declared. It determines paging, cursors, links, totals, validation and documentation.
 */
export interface ListDefinition {
  /** The name of the list. A cursor is valid only for a list with the same name. */
  readonly name: string;
  readonly entity: FieldClass;
  readonly only?: (row: Columns<never>) => string;
  readonly filters: ReadonlyMap<string, ListFilter>;
  readonly sorts: readonly string[];
  /** The names of the parameters that are not filters: `sort`, `page`, `limit` and `cursor`, or fewer. */
  readonly parameters: readonly string[];
  /** The parameters that `@Query()` of the same handler reads. */
  readonly otherParameters?: QueryParameters;
  /** Sorts for which no index is required. */
  readonly unindexed: readonly string[];
  readonly defaultSort: string;
  readonly totals?: readonly string[];
  readonly totalsByTriggers?: boolean;
  /** The sets of properties by which `rows` of the resource limits callers of different roles. Set by `scopedList()`. */
  readonly scopes?: readonly (readonly string[])[];
  readonly search?: SearchWeights;
  readonly facets: Readonly<Record<string, FacetKind>>;
}

export const LIST_PARAMETERS: readonly string[] = ['sort', 'page', 'limit', 'cursor'];

/** Runs `work`. If it throws, adds the list and the part of its declaration to the message. */
export function withListName<T>(list: string, part: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`list ${list}, ${part}: ${(error as Error).message}`, { cause: error });
  }
}

/** The filters that every list has by default, if its rows have these properties with these types. */
const COMMON_FILTERS = [
  ['id', id, anyOf('id')],
  ['createdFrom', timestamp, atLeast('createdAt')],
  ['createdBefore', timestamp, lessThan('createdAt')],
] as const;

/** The lists of all files that the process has loaded, exported or not. */
export const definedLists: ListDefinition[] = [];

/**
 * Declares a list: its filters, sorts, totals, search and facets. Each sort needs indexes: see
 * `@plinth/core/docs/adding-a-filter.md`.
 * @throws Error for a filter on a property that the entity does not have, or whose type the filter cannot compare
 * @example defineList(Product, { name: 'products', filters: { category: equals('category') }, sorts: ['price'] })
 */
export function defineList<Entity extends object>(
  entity: FieldClass<Entity>,
  definition: {
    name: string;
    /** An SQL condition for the rows that the list shows. Without it, the list shows all rows of the table. */
    only?: (row: Columns<NoInfer<Entity>>) => string;
    filters?: Readonly<Record<string, Filter<NoInfer<Entity>>>>;
    sorts?: readonly (keyof NoInfer<Entity> & string)[];
    /**
     * Sorts, filters and properties of filters that need no index, because the table is small, or the fixed filters of the
     * route leave only a few rows to read.
     */
    unindexed?: readonly string[];
    defaultSort?: `${keyof NoInfer<Entity> & string}:${Direction}`;
    /**
     * Properties with `equals` or `anyOf` filters, by which triggers maintain totals, so that no page counts rows. `[]`
     * maintains only the total of all rows.
     */
    totals?: readonly (keyof NoInfer<Entity> & string)[];
    /**
     * Whether triggers maintain the totals, which is the default. With `false`, each page counts its rows, and
     * `migration:generate` drops the triggers and tables of the totals. Use it for a table that is distributed over several
     * servers, because such a table has no triggers. The filters of `totals` still get their indexes.
     */
    totalsByTriggers?: boolean;
    /**
     * The properties that `q` searches, with their weights. `A` is the highest weight: `{ name: 'A', comment: 'B' }`.
     */
    search?: { readonly [P in keyof NoInfer<Entity> & string]?: 'A' | 'B' | 'C' | 'D' };
    /** The facets that `@FacetsQuery()` serves: `{ category: 'count', price: 'range' }`. */
    facets?: { readonly [P in keyof NoInfer<Entity> & string]?: FacetKind };
  },
): ListDefinition {
  const { name, filters = {}, sorts = [], unindexed = [], search, facets = {} } = definition;
  const { defaultSort = 'createdAt:desc' } = definition;
  const fields = fieldsOf(entity);
  const common = COMMON_FILTERS.filter(
    ([parameter, kind, { property }]) => !(parameter in filters) && fields.get(property ?? '')?.type === kind,
  ).map(([parameter, , filter]): [string, Filter<never>] => [parameter, filter]);
  const declared = [...Object.entries<Filter<never>>(filters), ...common];
  const resolved = declared.map(([parameter, filter]) =>
    withListName(name, `filter ${parameter}`, (): [string, ListFilter] => {
      const kind = filter.kind ?? fields.get(filter.property ?? '')?.type;
      if (!kind) throw new Error(`${entity.name} has no field ${filter.property ?? ''}`);
      const typed = filter.operator === '@>' ? resolveContains(filter, kind) : { ...filter, kind };
      return [parameter, { ...typed, name: parameter, ...filterParameterFor(typed.kind, filter.operator) }];
    }),
  );
  const bySearch: [string, ListFilter][] = search ? [[SEARCH_FILTER.name, SEARCH_FILTER]] : [];
  const list = Object.freeze({
    ...definition,
    entity,
    filters: new Map([...bySearch, ...resolved]),
    sorts: [...new Set(['createdAt', ...sorts, 'id'])],
    parameters: LIST_PARAMETERS,
    unindexed,
    defaultSort,
    search: search as SearchWeights | undefined,
    facets,
  });
  definedLists.push(list);
  return list;
}
