import { DataSource } from 'typeorm';

import { Table } from '../../src/core/database/table.js';
import { ListDefinition } from '../../src/core/lists/list-definition.js';
import { sortKeysOf } from '../../src/core/lists/sort-sql.js';
import { Direction } from '../../src/core/lists/sort.js';
import { identifier } from './sql-words.js';
import { Statements } from './statements.js';

/** An index that a list wants. */
interface WantedIndex {
  readonly name: string;
  readonly table: string;
  /** The indexed expressions, without the columns of filters before them. */
  readonly keys: string;
}

/** The lists that the modules of some files export, alone or as part of a resource. */
export function listsIn(modules: readonly object[]): ListDefinition[] {
  const values = modules.flatMap((module) => Object.values(module) as unknown[]);
  const isList = (value: unknown): value is ListDefinition =>
    typeof value === 'object' && value !== null && 'sorts' in value && 'defaultSort' in value;
  const found = values.flatMap((value) =>
    typeof value === 'object' && value !== null && 'list' in value ? [value, value.list] : [value],
  );
  return [...new Set(found.filter(isList))];
}

/** The index of each sort of a list: one where it serves both directions, else one for each. */
function wantedBy(list: ListDefinition, dataSource: DataSource): WantedIndex[] {
  const metadata = dataSource.getMetadata(list.entity);
  const { tableName } = metadata;
  const table = new Table(metadata);
  const indexed = list.sorts.filter((sort) => !list.unindexed.includes(sort));
  return indexed.flatMap((property) => {
    const column = metadata.findColumnWithPropertyName(property);
    // Computed properties have no index.
    if (!column) return [];
    const keysFor = (direction: Direction): string => {
      const keys = sortKeysOf(table, [
        { property, direction },
        { property: 'id', direction },
      ]);
      return keys.map(({ expression }) => keyOf(expression, tableName, column.collation)).join(', ');
    };
    const [ascending, descending] = [keysFor('asc'), keysFor('desc')];
    const of = (suffix: string, keys: string): WantedIndex => ({
      name: `${tableName}_${column.databaseName}${suffix}`,
      table: tableName,
      keys,
    });
    return ascending === descending ? [of('', ascending)] : [of('_asc', ascending), of('_desc', descending)];
  });
}

/** An expression of a statement as an index has it: a column by its name alone, what is computed in parentheses. */
function keyOf(expression: string, table: string, collation: string | undefined): string {
  const text = expression
    .replaceAll(`"${table}".`, '')
    .replaceAll(/(?<!collate )"([^"]+)"/g, (_, name: string) => identifier(name));
  const [, column, other] = /^([a-z_][a-z0-9_]*|"[^"]+")(?: collate "(.+)")?$/.exec(text) ?? [];
  if (column) return other === undefined || other === collation ? column : text;
  return /^coalesce\([^()]*(?:\([^()]*\)[^()]*)*\)$/.test(text) || /^\([^()]*\)$/.test(text)
    ? text
    : `(${text})`;
}

interface IndexRow {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

const INDEXES = `
  select tablename as table, indexname as name, indexdef as definition from pg_indexes
  where schemaname = 'public' and indexdef not like '% WHERE %'`;

/** The expressions of an index: `create index x on public.t using btree (a, b) include (c)` → `a, b`. */
const keysIn = (definition: string): string =>
  definition.replace(/^.* USING btree \(/, '').replace(/\)(?: INCLUDE \([^)]*\))?$/, '');

/** Keys as PostgreSQL writes them down. */
async function normalized(dataSource: DataSource, { table, keys }: WantedIndex): Promise<string> {
  const runner = dataSource.createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query(`create index tried_index on ${identifier(table)} (${keys})`);
    const text = `select pg_get_indexdef('tried_index'::regclass) as definition`;
    const [row] = (await runner.query(text)) as { definition: string }[];
    return keysIn(row?.definition ?? '');
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

/** The indexes that end in what each list sorts by. Columns of filters may be before that. */
async function servedBy(
  dataSource: DataSource,
  lists: readonly ListDefinition[],
): Promise<{ wanted: WantedIndex; names: string[] }[]> {
  const there = await dataSource.query<IndexRow[]>(INDEXES);
  const all = lists.flatMap((list) => wantedBy(list, dataSource));
  const served: { wanted: WantedIndex; names: string[] }[] = [];
  for (const wanted of all) {
    const ofTable = there.filter(({ table }) => table === wanted.table);
    const keys = ofTable.length > 0 ? await normalized(dataSource, wanted) : '';
    const names = ofTable
      .filter(({ definition }) => `, ${keysIn(definition)}`.endsWith(`, ${keys}`))
      .map(({ name }) => name);
    served.push({ wanted, names });
  }
  return served;
}

/** Statements that create the indexes that lists need and lack. Their tables exist. */
export async function missingIndexes(
  dataSource: DataSource,
  lists: readonly ListDefinition[],
): Promise<Statements> {
  const missing = (await servedBy(dataSource, lists)).filter(({ names }) => names.length === 0);
  const up = missing.map(
    ({ wanted: { name, table, keys } }) =>
      `create index ${identifier(name)} on ${identifier(table)} (${keys})`,
  );
  return { up, down: missing.map(({ wanted }) => `drop index ${identifier(wanted.name)}`).reverse() };
}

/** The names of the indexes that serve lists: entities need not repeat them. */
export async function namesOfListIndexes(
  dataSource: DataSource,
  lists: readonly ListDefinition[],
): Promise<ReadonlySet<string>> {
  return new Set((await servedBy(dataSource, lists)).flatMap(({ names }) => names));
}
