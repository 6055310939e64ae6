import { Columns } from '../database/entity-table.js';
import { FieldType, FieldClass, fieldsOf } from '../fields/field.js';
import { id, timestamp } from '../fields/fields.js';
import { QueryParameters } from '../routes/route-policy.js';
import { anyOf, atLeast, Filter, lessThan, FilterParameter, filterParameterFor } from './filters.js';
import { SEARCH_FILTER, SearchWeights } from './search.js';
import { Direction } from './sort.js';

export interface ListFilter extends Filter<never>, FilterParameter {
  readonly name: string;
  readonly kind: FieldType;
}

/** How many rows have each value of a property, or its lowest and highest value. */
export type FacetKind = 'count' | 'range';

/** The filters and sorts of a collection. Paging, cursors, links, totals, validation and docs follow from it. */
export interface ListDefinition {
  /** The collection's name: its cursors are good for no other. */
  readonly name: string;
  readonly entity: FieldClass;
  readonly only?: (row: Columns<never>) => string;
  readonly filters: ReadonlyMap<string, ListFilter>;
  readonly sorts: readonly string[];
  readonly parameters: readonly string[];
  /** The parameters that `@Query()` takes beside the list. */
  readonly otherParameters?: QueryParameters;
  readonly unindexed: readonly string[];
  readonly defaultSort: string;
  readonly totals?: readonly string[];
  readonly search?: SearchWeights;
  readonly facets: Readonly<Record<string, FacetKind>>;
}

export const LIST_PARAMETERS: readonly string[] = ['sort', 'page', 'limit', 'cursor'];

export function withListName<T>(list: string, part: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`list ${list}, ${part}: ${(error as Error).message}`, { cause: error });
  }
}

/** The filters of every list whose rows have these properties, each with the kind that they have in resources. */
const COMMON_FILTERS = [
  ['id', id, anyOf('id')],
  ['createdFrom', timestamp, atLeast('createdAt')],
  ['createdBefore', timestamp, lessThan('createdAt')],
] as const;

/** The lists of all files that the process has loaded, whether or not they are exported. */
export const definedLists: ListDefinition[] = [];

/**
 * Declares the filters and sorts of a collection; each sort wants indexes, see `@plinth/core/docs/adding-a-filter.md`.
 * @example defineList(Product, { name: 'products', filters: { category: equals('category') }, sorts: ['price'] })
 */
export function defineList<Entity extends object>(
  entity: FieldClass<Entity>,
  definition: {
    name: string;
    /** SQL that is true of the rows that the list shows; left out: all of the table. */
    only?: (row: Columns<NoInfer<Entity>>) => string;
    filters?: Readonly<Record<string, Filter<NoInfer<Entity>>>>;
    sorts?: readonly (keyof NoInfer<Entity> & string)[];
    /** Sorts that need no index, because the list is narrowed to a few rows before it is sorted. */
    unindexed?: readonly (keyof NoInfer<Entity> & string)[];
    defaultSort?: `${keyof NoInfer<Entity> & string}:${Direction}`;
    /** Properties with `equals` or `anyOf` filters whose totals the table keeps, so that none counts. `[]`: the whole alone. */
    totals?: readonly (keyof NoInfer<Entity> & string)[];
    /** The texts that `q` searches, by how much they count: `{ name: 'A', comment: 'B' }`. */
    search?: { readonly [P in keyof NoInfer<Entity> & string]?: 'A' | 'B' | 'C' | 'D' };
    /** What `@FacetsQuery()` sums the list up by: `{ category: 'count', price: 'range' }`. */
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
      return [parameter, { ...filter, name: parameter, kind, ...filterParameterFor(kind, filter.operator) }];
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
