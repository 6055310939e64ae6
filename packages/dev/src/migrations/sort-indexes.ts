import { buildSortKeys, Direction, EntityTable, ListDefinition } from '@plinth/core/dev';
import { EntityMetadata } from 'typeorm';

type ColumnMetadata = EntityMetadata['columns'][number];

/** A row of a B-tree index must fit into a third of a page. This leaves room for headers. */
const MAX_INDEX_ROW_BYTES = 2_600;
/** The bytes of a column of any type of fixed length, and of numbers. */
const SHORT_BYTES = 16;
const MAX_BYTES_PER_CHARACTER = 4;
const FIXED_LENGTH = /^(?:timestamp|date|time|int|bigint|smallint|numeric|real|double|bool|uuid|enum)/;

/** Returns the keys of an index that has the rows of a table in the order of a sort, as SQL. */
export function sortIndexKeys(metadata: EntityMetadata, property: string, direction: Direction): string[] {
  const sort = (property === 'id' ? ['id'] : [property, 'id']).map((name) => ({ property: name, direction }));
  return buildSortKeys(new EntityTable(metadata), sort)
    .map(({ expression }) => expression.replaceAll(`"${metadata.tableName}".`, ''))
    .map((key) => (/^"[^"]+"$/.test(key) ? key : `(${key})`));
}

/**
 * Returns the columns that the index of a sort includes, so that PostgreSQL passes over rows that filters exclude without
 * reading them: those of the filters, and that of the sort if it is sorted by an expression. Leaves out columns that could
 * make a row of the index too long.
 */
export function includedColumns(list: ListDefinition, metadata: EntityMetadata, sort: string): string[] {
  const columnOf = (property: string): ColumnMetadata | undefined =>
    metadata.findColumnWithPropertyName(property);
  const key = columnOf(sort);
  const isPlain = sortIndexKeys(metadata, sort, 'asc')[0] === `"${key?.databaseName ?? ''}"`;
  const filtered = [...list.filters.values()].map(({ property }) => property ?? 'id');
  const wanted = new Set([...(isPlain ? [] : [sort]), ...filtered.filter((name) => name !== sort)]);
  let room = MAX_INDEX_ROW_BYTES - bytesOf(key, metadata);
  return [...wanted].flatMap((property) => {
    const column = columnOf(property);
    const bytes = bytesOf(column, metadata);
    if (!column || property === 'id' || (isPlain && property === sort) || bytes > room) return [];
    room -= bytes;
    return [column.databaseName];
  });
}

/** Whether values of both columns always fit into one row of an index. */
export const fitIntoIndex = (one: ColumnMetadata, other: ColumnMetadata, metadata: EntityMetadata): boolean =>
  bytesOf(one, metadata) + bytesOf(other, metadata) <= MAX_INDEX_ROW_BYTES;

function bytesOf(column: ColumnMetadata | undefined, { dataSource }: EntityMetadata): number {
  if (!column || column.isArray) return Infinity;
  if (FIXED_LENGTH.test(dataSource.driver.normalizeType(column))) return SHORT_BYTES;
  return column.length ? Number(column.length) * MAX_BYTES_PER_CHARACTER : Infinity;
}
