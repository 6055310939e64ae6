import { ListFilter, SEARCH_COLUMN } from '@plinth/core/dev';
import { Client } from 'pg';
import { EntityMetadata } from 'typeorm';

import { acceptedValues } from './combinations.js';
import { Sample, sampleValues } from './sample-values.js';

/** Values of the columns of a table, by the names of the columns. The first value is the most common one. */
export type CurrentValues = ReadonlyMap<string, readonly Sample[]>;

/**
 * The most common values come first. The items of an array, and the words of a search column, are sorted by themselves, so
 * these are sorted here.
 */
const STATISTICS = `
  select attname as name, case when most_common_elems is null then array_to_json(histogram_bounds) end as bounds,
    coalesce((
      select json_agg(word order by frequency desc)
      from unnest(most_common_elems::text::text[], most_common_elem_freqs) as words (word, frequency)
      where word is not null
    ), array_to_json(most_common_vals)) as common
  from pg_stats where schemaname = any (current_schemas(false)) and tablename = $1 order by inherited`;

/** Reads values from the statistics of a table. @throws Error if the table has none */
export async function readCurrentValues(
  client: Client,
  { tableName }: EntityMetadata,
): Promise<CurrentValues> {
  const { rows } = await client.query<{ name: string; common: Sample[] | null; bounds: Sample[] | null }>(
    STATISTICS,
    [tableName],
  );
  if (rows.length === 0)
    throw new Error(`The table ${tableName} has no statistics: add rows, then run "analyze ${tableName}".`);
  return new Map(rows.map(({ name, common, bounds }) => [name, chooseValues(common ?? [], bounds ?? [])]));
}

/** Returns the most and the least common of the common values, and the ends and the middle of the others. */
const chooseValues = (common: readonly Sample[], bounds: readonly Sample[]): Sample[] =>
  [common[0], common.at(-1), bounds[0], bounds[bounds.length >> 1], bounds.at(-1)].filter(
    (value) => value !== undefined,
  );

/** The statistics may lack the largest value of a column, but not by much. */
const BEYOND_STATISTICS = 1_000;

/** Returns values of a filter that rows have, and one that no row has, if the filter accepts such a value. */
export function currentValues(
  filter: ListFilter,
  metadata: EntityMetadata,
  current: CurrentValues,
): readonly Sample[] {
  const { name, property = '', members = [], kind } = filter;
  const samples = sampleValues(kind.schema);
  const column = metadata.findColumnWithPropertyName(property)?.databaseName;
  const stored = current.get(name === 'q' ? SEARCH_COLUMN : (column ?? '')) ?? chooseValues([], samples);
  const values = members.length > 0 ? stored.flatMap((json) => membersOf(json, members)) : stored;
  const numbers = values.filter((value) => typeof value === 'number');
  const absent =
    numbers.length > 0
      ? Math.max(...numbers) + BEYOND_STATISTICS
      : samples.findLast((value) => !values.includes(value));
  return acceptedValues(filter, [...values, absent]);
}

/** Returns the values to which some names lead in JSON. */
const membersOf = (json: unknown, names: readonly string[]): Sample[] =>
  [names.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], json)]
    .flat()
    .filter((value) => value !== undefined && value !== null) as Sample[];

/**
 * Returns the conditions that a route may set: one set with the most common value of each property, and one with a rare value
 * of each. Returns one empty set if the route fixes no property.
 */
export const currentFixedFilters = (
  fixed: readonly string[],
  metadata: EntityMetadata,
  current: CurrentValues,
): { property: string; value: Sample }[][] =>
  (fixed.length === 0 ? [0] : [0, -1]).map((end) =>
    fixed.map((property) => {
      const column = metadata.findColumnWithPropertyName(property)?.databaseName ?? '';
      // A column without statistics has no values but null.
      return { property, value: current.get(column)?.at(end) ?? 0 };
    }),
  );
