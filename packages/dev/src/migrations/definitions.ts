import { Direction, ListDefinition, SEARCH_COLUMN as SEARCH, EntityTable } from '@plinth/core/dev';
import { expressionIndexesOf, searchColumn } from '@plinth/core/dev';
import { DataSource, EntityMetadata } from 'typeorm';

import { withRollback } from './data-source.js';
import { Statements } from './migration-files.js';
import { fitIntoIndex, includedColumns, sortIndexKeys } from './sort-indexes.js';

type ColumnMetadata = EntityMetadata['columns'][number];

/** A check, which TypeORM compares only by its name, or an index or a column that TypeORM does not know. */
interface Definition {
  readonly table: string;
  readonly name: string;
  readonly create: string;
  readonly drop: string;
  /** The list that needs the index. */
  readonly list?: string;
}

/**
 * Returns statements for checks, and for the indexes of `@ExpressionIndex()`, sorts and searches. The statements create
 * what is missing, and re-create what has another definition.
 */
export const changedDefinitions = (
  dataSource: DataSource,
  lists: readonly ListDefinition[],
): Promise<Statements> =>
  compareDefinitions(dataSource, [
    ...dataSource.entityMetadatas.flatMap(entityDefinitions),
    ...ofLists(lists, (list) => [
      ...sortIndexDefinitions(list, dataSource),
      ...searchDefinition(list, dataSource).map(({ table }) =>
        indexDefinition(table, `${table}_${SEARCH}`, 'index', `using gin ("${SEARCH}")`),
      ),
    ]),
  ]);

/**
 * Returns statements that create the indexes of the filters of lists: for `contains()`, and for the sorts within each value
 * of `totals`. Leaves out an index if the table has one with the same keys under another name.
 */
export async function missingFilterIndexes(
  dataSource: DataSource,
  lists: readonly ListDefinition[],
): Promise<Statements> {
  const missing: Definition[] = [];
  const declared = ofLists(lists, (list) => [
    ...containsIndexDefinitions(list, dataSource),
    ...totalsIndexDefinitions(list, dataSource),
  ]);
  for (const definition of declared)
    if (!(await hasSameKeys(dataSource, definition))) missing.push(definition);
  return compareDefinitions(dataSource, missing);
}

const ofLists = (
  lists: readonly ListDefinition[],
  define: (list: ListDefinition) => Definition[],
): Definition[] => lists.flatMap((list) => define(list).map((one) => ({ ...one, list: list.name })));

/** Returns statements that create or re-create the search columns of lists, with their indexes. */
export const changedSearches = (
  dataSource: DataSource,
  lists: readonly ListDefinition[],
): Promise<Statements> =>
  compareDefinitions(
    dataSource,
    lists.flatMap((list) => searchDefinition(list, dataSource)),
  );

const searchDefinition = ({ search, entity }: ListDefinition, dataSource: DataSource): Definition[] =>
  search ? [searchColumn(search, new EntityTable(dataSource.getMetadata(entity)))] : [];

async function compareDefinitions(
  dataSource: DataSource,
  declared: readonly Definition[],
): Promise<Statements> {
  const up: string[] = [];
  const down: string[] = [];
  for (const definition of new Map(declared.map((one) => [`${one.table} ${one.name}`, one])).values()) {
    const { create, drop } = definition;
    const { before, after } = await readDefinitions(dataSource, definition);
    if (before === after) continue;
    assertFreeName(dataSource, definition);
    up.push(...(before === undefined ? [] : [drop]), create);
    down.unshift(drop, ...(before === undefined ? [] : [before]));
  }
  return { up, down };
}

/**
 * Asserts that no entity declares another index with the name of an index that a list needs. Otherwise each migration would
 * replace one of them by the other.
 */
function assertFreeName({ entityMetadatas }: DataSource, { name, create, list }: Definition): void {
  const entity = entityMetadatas.find(({ indices }) => indices.some((index) => index.name === name));
  if (list === undefined || !entity) return;
  const isExpression = expressionIndexesOf(entity.target as object).some((index) => index.name === name);
  const declaration = `@${isExpression ? 'ExpressionIndex' : 'Index'}('${name}')`;
  throw new Error(
    `${declaration} of ${entity.name} has the name of another index, which the list ${list} needs: ${create}. ` +
      `Remove the ${declaration}, or give it another name if you need both indexes.`,
  );
}

function entityDefinitions({ tableName: table, checks, target }: EntityMetadata): Definition[] {
  return [
    ...checks.map(({ name, expression }) => ({
      table,
      name,
      create: `alter table "${table}" add constraint "${name}" check (${expression})`,
      drop: `alter table "${table}" drop constraint "${name}"`,
    })),
    ...expressionIndexesOf(target as object).map(({ name, on, unique, where }) =>
      indexDefinition(
        table,
        name,
        unique ? 'unique index' : 'index',
        `(${on})${where ? ` where ${where}` : ''}`,
      ),
    ),
  ];
}

const indexDefinition = (table: string, name: string, kind: string, keys: string): Definition => ({
  table,
  name,
  create: `create ${kind} "${name}" on "${table}" ${keys}`,
  drop: `drop index "${name}"`,
});

/** Returns the indexes of the sorts of a list. */
function sortIndexDefinitions(list: ListDefinition, dataSource: DataSource): Definition[] {
  const metadata = dataSource.getMetadata(list.entity);
  return list.sorts.flatMap((property) => {
    const column = metadata.findColumnWithPropertyName(property);
    // Computed properties have no index, and `id` has the primary key.
    if (!column || property === 'id' || list.unindexed.includes(property)) return [];
    const include = includedColumns(list, metadata, property);
    const included = include.length > 0 ? ` include (${quoteNames(include)})` : '';
    return directionIndexes(metadata.tableName, [column.databaseName], (direction) => {
      const keys = sortIndexKeys(metadata, property, direction);
      return `(${keys.join(', ')})${included}`;
    });
  });
}

const quoteNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Returns one index if it serves both directions of a sort, or else two indexes. */
function directionIndexes(
  table: string,
  names: readonly string[],
  keysFor: (direction: Direction) => string,
): Definition[] {
  const [ascending, descending] = [keysFor('asc'), keysFor('desc')];
  const index = (keys: string, ...suffix: string[]): Definition =>
    indexDefinition(table, [table, ...names, ...suffix].join('_'), 'index', keys);
  return ascending === descending ? [index(ascending)] : [index(ascending, 'asc'), index(descending, 'desc')];
}

/** Computed properties have no index. */
function containsIndexDefinitions(
  { entity, filters, unindexed }: ListDefinition,
  dataSource: DataSource,
): Definition[] {
  const { tableName, columns } = dataSource.getMetadata(entity);
  return [...filters.values()].flatMap(({ name, property, operator }) => {
    const column = columns.find(({ propertyName }) => propertyName === property);
    if (operator !== '@>' || !column || unindexed.includes(name) || unindexed.includes(column.propertyName))
      return [];
    const operators = column.isArray ? '' : ' jsonb_path_ops';
    const keys = `using gin ("${column.databaseName}"${operators})`;
    return [indexDefinition(tableName, `${tableName}_${column.databaseName}`, 'index', keys)];
  });
}

/** Flags are omitted, because PostgreSQL plans for their values, and finds rows by the columns that indexes of sorts include. */
function totalsIndexDefinitions(list: ListDefinition, dataSource: DataSource): Definition[] {
  const metadata = dataSource.getMetadata(list.entity);
  const columnsOf = (properties: readonly string[]) =>
    properties.flatMap((name) => metadata.findColumnWithPropertyName(name) ?? []);
  const { scopes = [], totals = [] } = list;
  const filtered = columnsOf(totals).filter(
    (column) => dataSource.driver.normalizeType(column) !== 'boolean',
  );
  const sorted = columnsOf(list.sorts.filter((sort) => sort !== 'id' && !list.unindexed.includes(sort)));
  const ofFilters = filtered.flatMap((filter) =>
    sorted
      .filter((sort) => sort !== filter && fitIntoIndex(filter, sort, metadata))
      .flatMap((sort) =>
        directionIndexes(metadata.tableName, [filter.databaseName, sort.databaseName], (direction) => {
          const keys = sortIndexKeys(metadata, sort.propertyName, direction);
          return `("${filter.databaseName}", ${keys.join(', ')})`;
        }),
      ),
  );
  // Where both have the same name, the index of the scope replaces that of the filter, because it includes columns.
  const ofScopes = scopes
    .map(columnsOf)
    .flatMap((scope) => scopeIndexDefinitions(list, metadata, scope, filtered));
  return [...ofFilters, ...ofScopes];
}

/** Returns the indexes of sorts within the rows of a caller, by themselves and within each value of the filters. */
function scopeIndexDefinitions(
  list: ListDefinition,
  metadata: EntityMetadata,
  scope: readonly ColumnMetadata[],
  filtered: readonly ColumnMetadata[],
): Definition[] {
  const names = scope.map(({ databaseName }) => databaseName);
  const sorts = list.sorts.filter((sort) => sort !== 'id' && !list.unindexed.includes(sort));
  const within = filtered.filter((filter) => !scope.includes(filter));
  return [undefined, ...within].flatMap((filter) =>
    sorts.flatMap((property) => {
      const sort = metadata.findColumnWithPropertyName(property);
      if (!sort || scope.includes(sort) || sort === filter) return [];
      if (filter && !fitIntoIndex(filter, sort, metadata)) return [];
      const leading = [...names, ...(filter ? [filter.databaseName] : [])];
      const include = filter
        ? []
        : includedColumns(list, metadata, property).filter((one) => !names.includes(one));
      const included = include.length > 0 ? ` include (${quoteNames(include)})` : '';
      return directionIndexes(metadata.tableName, [...leading, sort.databaseName], (direction) => {
        const keys = sortIndexKeys(metadata, property, direction);
        return `(${[quoteNames(leading), ...keys].join(', ')})${included}`;
      });
    }),
  );
}

const KEYS = `
  select indexname as name, regexp_replace(substring(indexdef from ' USING .*'), ' INCLUDE \\(.*\\)$', '') as keys
  from pg_indexes where schemaname = 'public' and tablename = $1`;

/** Whether a table has an index of another name with the keys of a declared index. */
const hasSameKeys = (dataSource: DataSource, { table, name, create }: Definition): Promise<boolean> =>
  withRollback(dataSource, async (runner) => {
    await runner.query(`drop index if exists "${name}"`);
    await runner.query(create);
    const indexes = (await runner.query(KEYS, [table])) as { name: string; keys: string }[];
    const declared = indexes.find((index) => index.name === name)?.keys;
    return indexes.some((index) => index.name !== name && index.keys === declared);
  });

const DEFINITION = `
  select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as sql
  from pg_constraint where conrelid = to_regclass(quote_ident($1)) and conname = $2
  union all
  select indexdef from pg_indexes where schemaname = 'public' and tablename = $1 and indexname = $2
  union all
  select format('alter table %s add column %I %s generated always as (%s) stored', attrelid::regclass, attname,
    atttypid::regtype, pg_get_expr(adbin, adrelid))
  from pg_attribute join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attrelid = to_regclass(quote_ident($1)) and attname = $2 and attgenerated = 's'`;

/** Returns the existing and the declared definition as PostgreSQL prints them. Rolls back what it creates for this. */
const readDefinitions = (
  dataSource: DataSource,
  { table, name, create, drop }: Definition,
): Promise<{ before: string | undefined; after: string | undefined }> =>
  withRollback(dataSource, async (runner) => {
    const definition = async (): Promise<string | undefined> =>
      // Ignores the included columns of an index, which only hand-written migrations have.
      ((await runner.query(DEFINITION, [table, name])) as { sql: string }[])[0]?.sql.replace(
        / INCLUDE \(.*\)$/,
        '',
      );
    const before = await definition();
    if (before !== undefined) await runner.query(drop);
    await runner.query(create);
    return { before, after: await definition() };
  });
