import { CursorCodec, ListDefinition, ListFilter, readListQuery } from '@plinth/core/dev';
import { EntityMetadata } from 'typeorm';

import { Frequency, propertyValues, SAMPLE_WORDS, sampleValue } from './sample-table.js';
import { Sample, sampleValues } from './sample-values.js';

type ParsedListQuery = ReturnType<typeof readListQuery>;

/** A list with the properties that a route fixes, such as the parent in the path. */
export interface ServedList {
  readonly list: ListDefinition;
  readonly fixed: readonly string[];
}

/** A query that a list accepts. */
export interface Combination {
  /** The query string, such as `?category=typo&sort=price:asc`. */
  readonly text: string;
  readonly query: ParsedListQuery;
  readonly filter: ListFilter | undefined;
  readonly sort: string;
}

const CURSORS = new CursorCodec(['a secret of more than 32 bytes, for cursors that nobody receives']);

/**
 * Returns the queries of a list for the first page: without a filter and with each filter by itself, for values that are
 * common, rare and absent, with each sort and both styles of paging. Omits the sorts and filters that the list declares as
 * `unindexed`.
 * @throws Error for a filter without a value that it accepts
 */
export function listCombinations(
  { list, fixed }: ServedList,
  metadata: EntityMetadata,
  lists: readonly ListDefinition[],
): Combination[] {
  const filters = [...list.filters.values()].filter(
    ({ name, property = '' }) =>
      !fixed.includes(property) && !list.unindexed.includes(name) && !list.unindexed.includes(property),
  );
  const sorts = list.sorts.filter((sort) => !list.unindexed.includes(sort));
  const fixedFilters = fixed.map((property) => {
    const value = sampleValue(propertyValues(property, metadata, lists), 'rare');
    if (value === undefined) throw new Error(`list ${list.name}: found no value of ${property}`);
    return { property, value };
  });
  return [undefined, ...filters].flatMap((filter) => {
    const values = filter ? filterValues(filter, list, metadata, lists) : [''];
    const named = filter?.name === 'q' ? [...sorts, 'relevance'] : sorts;
    return values.flatMap((value) =>
      named.flatMap((sort) =>
        ['asc', 'desc'].flatMap((direction) =>
          ['page=1', 'cursor='].map((style) => {
            const search = { ...(filter && { [filter.name]: String(value) }), sort: `${sort}:${direction}` };
            const parameters = `${String(new URLSearchParams(search))}&${style}`;
            const query = readListQuery(list, parameters, CURSORS, fixedFilters);
            return { text: `?${decodeURIComponent(parameters)}`, query, filter, sort };
          }),
        ),
      ),
    );
  });
}

function filterValues(
  { name, property, operator = '=', kind, read }: ListFilter,
  list: ListDefinition,
  metadata: EntityMetadata,
  lists: readonly ListDefinition[],
): readonly Sample[] {
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
  const accepted = [...new Set(chosen)].filter(
    (value) => value !== undefined && !isFault(read(String(value))),
  );
  if (accepted.length === 0)
    throw new Error(`list ${list.name}, filter ${name}: found no value; declare \`unindexed: ['${name}']\``);
  return accepted as Sample[];
}

/** No value of a unique column is common. */
function frequenciesOf(property: string | undefined, { uniques, indices }: EntityMetadata): Frequency[] {
  const isUnique = [...uniques, ...indices.filter((index) => index.isUnique)].some(
    ({ columns: [column, ...others] }) => column?.propertyName === property && others.length === 0,
  );
  return isUnique ? ['rare', 'absent'] : ['common', 'rare', 'absent'];
}

const isFault = (value: unknown): boolean => typeof value === 'object';
