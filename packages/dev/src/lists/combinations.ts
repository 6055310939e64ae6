import { CursorCodec, ListDefinition, ListFilter, readListQuery, type RowLimit } from '@plinth/core/dev';
import { EntityMetadata } from 'typeorm';

import { Frequency, propertyValues, SAMPLE_WORDS, sampleValue } from './sample-table.js';
import { Sample, sampleValues } from './sample-values.js';
import { ServedList } from './served-lists.js';

type ParsedListQuery = ReturnType<typeof readListQuery>;

/** A filter, which may be missing, and a sort that a list accepts together. */
export interface Combination {
  /** The query string without a position, such as `?category=typo&sort=price:asc`. */
  readonly text: string;
  readonly filter: ListFilter | undefined;
  readonly sort: string;
  /** Returns the query of a page. @param position such as `page=1`, or `cursor=` for the first page by cursor */
  readonly at: (position: string) => ParsedListQuery;
}

export interface PropertyValue {
  readonly property: string;
  readonly value: Sample;
}

interface CombinedParts {
  readonly list: ListDefinition;
  readonly sorts: readonly string[];
  /** The conditions that the route sets. No filter is combined with them on the same property. */
  readonly fixedFilters: readonly PropertyValue[];
  /** The rows of the caller, if `rows` limits the caller. */
  readonly limit?: RowLimit | undefined;
  /** Returns the values of a filter. If it returns none, the filter is omitted. */
  readonly valuesOf: (filter: ListFilter) => readonly Sample[];
}

const CURSORS = new CursorCodec(['a secret of more than 32 bytes, for cursors that nobody receives']);

/** Returns a limit with other values. */
const withValues = (
  limit: RowLimit,
  metadata: EntityMetadata,
  valueOf: (property: string, metadata: EntityMetadata) => Sample,
): RowLimit =>
  limit.map((terms) =>
    terms.map((condition) => {
      const { property } = condition;
      if (!('parent' in condition)) return { property, ids: [valueOf(property, metadata)] };
      const { entity, anyOf } = condition.parent;
      const parents = anyOf && withValues(anyOf, metadata.dataSource.getMetadata(entity), valueOf);
      return { property, parent: { entity, anyOf: parents } };
    }),
  );

/** Returns the queries of a list without a filter and with each filter by itself, with each sort. */
export function listCombinations({
  list,
  sorts,
  fixedFilters,
  limit,
  valuesOf,
}: CombinedParts): Combination[] {
  const filters = [...list.filters.values()].filter(
    (filter) => !fixedFilters.some(({ property }) => property === filter.property),
  );
  return [undefined, ...filters].flatMap((filter) => {
    const named = filter?.name === 'q' ? [...sorts, 'relevance'] : sorts;
    return (filter ? valuesOf(filter) : ['']).flatMap((value) =>
      named.flatMap((sort) =>
        ['asc', 'desc'].map((direction) => {
          const search = { ...(filter && { [filter.name]: String(value) }), sort: `${sort}:${direction}` };
          const parameters = String(new URLSearchParams(search));
          return {
            text: `?${decodeURIComponent(parameters)}`,
            filter,
            sort,
            at: (position: string) => ({
              ...readListQuery(list, `${parameters}&${position}`, CURSORS, fixedFilters),
              ...(limit && { scope: { except: [], anyOf: limit } }),
            }),
          };
        }),
      ),
    );
  });
}

/**
 * Returns the combinations of a list that need an index, with values that are common, rare and absent in a sample table.
 * Omits the sorts and filters that the list declares as `unindexed`.
 * @throws Error for a filter without a value that it accepts
 */
export function indexedCombinations(
  { list, fixed, limit }: ServedList,
  metadata: EntityMetadata,
  lists: readonly ListDefinition[],
): Combination[] {
  const isIndexed = (name = ''): boolean => !list.unindexed.includes(name);
  const rareValue = (property: string, ofTable = metadata): Sample => {
    const value = sampleValue(propertyValues(property, ofTable, ofTable === metadata ? lists : []), 'rare');
    if (value === undefined) throw new Error(`list ${list.name}: found no value of ${property}`);
    return value;
  };
  return listCombinations({
    list,
    sorts: list.sorts.filter(isIndexed),
    fixedFilters: fixed.map((property) => ({ property, value: rareValue(property) })),
    limit: limit && withValues(limit, metadata, rareValue),
    valuesOf: (filter) =>
      isIndexed(filter.name) && isIndexed(filter.property) ? filterValues(filter, list, metadata, lists) : [],
  });
}

function filterValues(
  filter: ListFilter,
  list: ListDefinition,
  metadata: EntityMetadata,
  lists: readonly ListDefinition[],
): readonly Sample[] {
  const { name, property, operator = '=', kind } = filter;
  // Every match of a search is read, so that common words cost more by design.
  if (name === 'q') return SAMPLE_WORDS.slice(1);
  const known = property === undefined ? [] : propertyValues(property, metadata, lists);
  const values = known.length > 0 ? known : sampleValues(kind.schema);
  const [smallest, largest] = [values[0], values.at(-1)];
  const chosen =
    operator === '='
      ? frequenciesOf(property, metadata).map((frequency) => sampleValue(values, frequency))
      : operator === '>='
        ? [smallest, largest]
        : [largest, smallest];
  const accepted = acceptedValues(filter, chosen);
  if (accepted.length === 0)
    throw new Error(`list ${list.name}, filter ${name}: found no value; declare \`unindexed: ['${name}']\``);
  return accepted;
}

/** No value of a unique column is common. */
function frequenciesOf(property: string | undefined, { uniques, indices }: EntityMetadata): Frequency[] {
  const isUnique = [...uniques, ...indices.filter((index) => index.isUnique)].some(
    ({ columns: [column, ...others] }) => column?.propertyName === property && others.length === 0,
  );
  return isUnique ? ['rare', 'absent'] : ['common', 'rare', 'absent'];
}

/** Returns the values that a filter accepts, each once. */
export const acceptedValues = ({ read }: ListFilter, values: readonly (Sample | undefined)[]): Sample[] =>
  [...new Set(values)].filter(
    // The reader returns an object for a fault.
    (value): value is Sample => value !== undefined && typeof read(String(value)) !== 'object',
  );
