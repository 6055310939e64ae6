import { setTimeout } from 'node:timers/promises';

import { ListDefinition } from '@plinth/core/dev';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { EntityMetadata } from 'typeorm';

import { columnSchema, Sample, SampleSchema, sampleValues } from './sample-values.js';

/** So few that a table is filled in a fraction of a second, and so many that reading all of them stands out. */
export const SAMPLE_ROWS = 4_000;
/** The rows with the rare value of each column: neither the first nor the last ones. */
const RARE_ROWS = [0.2, 0.5, 0.8].map((share) => share * SAMPLE_ROWS).join(', ');
const COMMON_SHARE = 0.6;
/** The words that `q` searches for. The first is in most rows, the second in three, the third in none. */
export const SAMPLE_WORDS = ['shade', 'zyzzyva', 'xylophone'] as const;
const SCHEMA = 'list_samples';
const VACUUM_TIMEOUT_MS = 20_000;

/** How many rows have a value: most, three or none. Each other value is in about one row of a hundred. */
export type Frequency = 'common' | 'rare' | 'absent';

/**
 * Returns the value of a property that so many rows have. The rare value is the largest one, and the absent value the
 * smallest, so that they are rare for ranges, too. If a property has few values, none is absent.
 */
export function sampleValue(values: readonly Sample[], frequency: Frequency): Sample | undefined {
  return values[valueIndex(values.length, frequency)];
}

function valueIndex(count: number, frequency: Frequency): number {
  if (frequency === 'rare') return count - 1;
  if (frequency === 'common') return count > 2 ? Math.floor(count / 2) : 0;
  return count > 3 ? 0 : -1;
}

const filtersOn = (property: string, lists: readonly ListDefinition[]) =>
  lists.flatMap((list) => [...list.filters.values()]).filter((filter) => filter.property === property);

/** Returns the values of a property in the rows of a table, within the limits of its filters. */
export function propertyValues(
  property: string,
  metadata: EntityMetadata,
  lists: readonly ListDefinition[],
): readonly Sample[] {
  const column = metadata.findColumnWithPropertyName(property);
  const schema = column && columnSchema(column, metadata);
  if (!schema) return [];
  const kinds = filtersOn(property, lists).map(({ kind }) => kind.schema);
  const merged = Object.assign({}, schema, ...kinds) as SampleSchema;
  const maximum = Math.min(schema.maximum ?? Infinity, merged.maximum ?? Infinity);
  return sampleValues({ ...merged, maximum });
}

/** A table that is copied. */
export interface SampleTable {
  readonly metadata: EntityMetadata;
  readonly lists: readonly ListDefinition[];
  /** The properties with the ids of parents. Each row belongs to the parent of its number. */
  readonly linked: ReadonlySet<string>;
}

/**
 * Creates copies of tables with generated rows and with the indexes of the tables, and lets the session read them in place of
 * the tables. Their rows need no parents, because the copies have no foreign keys, and the tables are not touched. A page of
 * a copy holds few rows, so that PostgreSQL plans for it as for a table of many more.
 *
 * @returns a function that removes the copies
 */
export async function createSampleTables(
  client: Client,
  tables: readonly SampleTable[],
): Promise<() => Promise<void>> {
  await client.query(`create schema ${SCHEMA}`);
  for (const table of tables) await createSampleTable(client, table);
  await client.query(`set search_path = ${SCHEMA}, public`);
  return async () => {
    await client.query('reset search_path');
    await client.query(`drop schema ${SCHEMA} cascade`);
  };
}

async function createSampleTable(client: Client, table: SampleTable): Promise<void> {
  const { metadata } = table;
  const name = escapeIdentifier(metadata.tableName);
  const copy = `${SCHEMA}.${name}`;
  await client.query(
    `create table ${copy} (like public.${name} including defaults including generated) with (fillfactor = 10)`,
  );
  await dropNotNulls(client, copy);
  await client.query(insertion(copy, table));
  const indexes = await client.query<{ definition: string; isPrimary: boolean }>(
    `select pg_get_indexdef(indexrelid) as definition, indisprimary as "isPrimary" from pg_index where indrelid = $1::regclass`,
    [`public.${name}`],
  );
  // Generated rows repeat values of unique columns.
  for (const { definition, isPrimary } of indexes.rows)
    await client.query(
      `create ${isPrimary ? 'unique ' : ''}index on ${copy} ${definition.slice(definition.indexOf(' USING '))}`,
    );
  await vacuumTable(client, copy);
}

/**
 * Marks the pages of a table as visible to all, which index-only scans need. While a transaction of another session holds a
 * snapshot from before the rows, PostgreSQL cannot mark them, so this waits for it.
 * @throws Error if such a transaction takes longer than `VACUUM_TIMEOUT_MS`
 */
async function vacuumTable(client: Client, table: string): Promise<void> {
  // Pages that have not been flushed are not marked either.
  await client.query('set synchronous_commit = on');
  const end = Date.now() + VACUUM_TIMEOUT_MS;
  while (Date.now() < end) {
    await client.query(`vacuum (analyze, freeze) ${table}`);
    const { rows } = await client.query(
      'select from pg_class where oid = $1::regclass and relallvisible = relpages',
      [table],
    );
    if (rows.length > 0) return;
    await setTimeout(50);
  }
  throw new Error(`a transaction on the database must not take ${VACUUM_TIMEOUT_MS / 1000} s`);
}

/** Columns without values, such as arrays and JSON that no filter reads, stay null. */
async function dropNotNulls(client: Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and attnotnull and not attisdropped`,
    [table],
  );
  for (const { name } of rows)
    await client.query(`alter table ${table} alter column ${escapeIdentifier(name)} drop not null`);
}

function insertion(table: string, { metadata, lists, linked }: SampleTable): string {
  const columns = metadata.columns.filter((column) => !column.generatedType);
  const filled = columns.flatMap((column, i) => {
    const { propertyName, databaseName } = column;
    const values = propertyValues(propertyName, metadata, lists);
    const name = escapeIdentifier(databaseName);
    const isFiltered = filtersOn(propertyName, lists).length > 0;
    const isSearched = lists.some(({ search }) => search && propertyName in search);
    const contained = containedSql(propertyName, lists, i);
    if (contained) return [[name, contained]];
    if (values.length === 0) return [];
    if ((propertyName === 'id' || linked.has(propertyName)) && values.every(Number.isInteger))
      return [[name, 'n']];
    if (isSearched && !isFiltered) return [[name, searchedText(Number(column.length) || 200)]];
    const array = values.map((value) => escapeLiteral(String(value))).join(', ');
    const value = `(array[${array}])[${valueIndexSql(values.length, i)}]`;
    return [[name, value]];
  });
  const names = filled.map(([name]) => name).join(', ');
  // PostgreSQL converts the texts to the types of the columns.
  const record = filled.map(([name, value]) => `'${name?.slice(1, -1) ?? ''}', ${value ?? ''}`).join(', ');
  return (
    `insert into ${table} (${names}) select ${filled.map(([name]) => `r.${name ?? ''}`).join(', ')} ` +
    `from generate_series(1, ${SAMPLE_ROWS}) n, jsonb_populate_record(null::${table}, jsonb_build_object(${record})) r`
  );
}

/**
 * SQL of an array or JSON with a value for each filter by its items or members, or `''` if there is no such filter. If two
 * filters read one object inside the JSON, only the second gets values.
 */
const containedSql = (property: string, lists: readonly ListDefinition[], column: number): string =>
  filtersOn(property, lists)
    .flatMap(({ contained, isAllOf, kind }) => {
      const values = sampleValues(kind.schema);
      const array = values.map((value) => escapeLiteral(JSON.stringify(value))).join(', ');
      const value = `(array[${array}]::jsonb[])[${valueIndexSql(values.length, column)}]`;
      return contained ? [contained(isAllOf ? `jsonb_build_array(${value})` : value)] : [];
    })
    .join(' || ');

/** SQL of the index of the value in row `n`, which begins at 1. */
function valueIndexSql(count: number, column: number): string {
  const share = (purpose: number): string =>
    `((hashint8extended(n, ${2 * column + purpose}) & 1048575) / 1048576.0)`;
  const [common, rare] = [valueIndex(count, 'common') + 1, valueIndex(count, 'rare') + 1];
  const others = count > 3 ? `2 + floor(${share(1)} * ${count - 2})::int` : '1';
  return `case when n in (${RARE_ROWS}) then ${rare} when ${share(0)} < ${COMMON_SHARE} then ${common} else ${others} end`;
}

const searchedText = (length: number): string =>
  `left(concat(case when n in (${RARE_ROWS}) then '${SAMPLE_WORDS[1]} ' end, '${SAMPLE_WORDS[0]} ', n * 7919 % ${SAMPLE_ROWS}), ${length})`;
