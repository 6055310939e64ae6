import { ResourceEntity, Totals, createTotals, createVersionTrigger, dropTotals } from '@plinth/core';
import {
  ListDefinition,
  EntityTable,
  changesTable,
  resolveTotals,
  versionTriggerName,
} from '@plinth/core/dev';
import { DataSource, EntityMetadata } from 'typeorm';

import { concatStatements, Statements } from './migration-files.js';

/** Selects the columns by which a table's totals are grouped. Selects no row if the table has no totals. */
const KEPT_BY = `
  select array(select column_name::text from information_schema.columns
    where table_schema = 'public' and table_name = $1 and column_name not in ('n', 'xid') order by ordinal_position
  ) as columns
  from pg_class where oid = to_regclass(quote_ident($1))`;

/**
 * Returns statements that create the missing totals of lists, re-create totals that are grouped by other columns, and drop
 * totals that a list switches off.
 */
export async function missingTotals(
  dataSource: DataSource,
  lists: readonly ListDefinition[],
): Promise<Statements> {
  // All lists of a table share its totals.
  const wanted = new Map<string, Totals | undefined>();
  for (const list of lists) {
    const metadata = dataSource.getMetadata(list.entity);
    const totals = resolveTotals(list, new EntityTable(metadata));
    if (totals || list.totalsByTriggers === false)
      wanted.set(metadata.tableName, totals ?? wanted.get(metadata.tableName));
  }
  const parts: Statements[] = [];
  for (const [table, totals] of wanted) {
    const [kept] = await dataSource.query<{ columns: string[] }[]>(KEPT_BY, [changesTable(table)]);
    if (kept && String(kept.columns) === String(totals?.columns)) continue;
    if (kept) {
      const before = { table, columns: kept.columns };
      parts.push({ up: dropTotals(before), down: createTotals(before) });
    }
    if (totals) parts.push({ up: createTotals(totals), down: dropTotals(totals) });
  }
  return concatStatements(parts);
}

const isResource = ({ target }: EntityMetadata): boolean =>
  typeof target === 'function' && target.prototype instanceof ResourceEntity;

/** Returns statements that create the version triggers of resource tables that have none. */
export async function missingVersionTriggers(dataSource: DataSource): Promise<Statements> {
  const there = await dataSource.query<{ name: string }[]>('select tgname as name from pg_trigger');
  const tables = dataSource.entityMetadatas
    .filter(isResource)
    .map(({ tableName }) => tableName)
    .filter((table) => !there.some(({ name }) => name === versionTriggerName(table)));
  return {
    up: tables.map(createVersionTrigger),
    down: tables.map((table) => `drop trigger "${versionTriggerName(table)}" on "${table}"`).toReversed(),
  };
}

/** A table that computed fields of a resource read, with the table of the resource. */
export interface ReadTable {
  readonly table: string;
  readonly parent: string;
}

/** Selects a row if a table has a trigger that updates another table. */
const IS_FOLLOWED = `
  select 1 from pg_trigger t join pg_proc p on p.oid = t.tgfoid
  where not t.tgisinternal and t.tgrelid = to_regclass(quote_ident($1))
    and p.prosrc ~* ('\\mupdate\\s+(only\\s+)?"?' || $2 || '"?\\M')`;

/**
 * Returns the tables that computed fields read, and that have no trigger that updates the table of the resource. When
 * such a table changes, the rows of the resource keep their versions and entity tags, so clients keep outdated
 * responses.
 */
export async function unfollowedTables(dataSource: DataSource): Promise<ReadTable[]> {
  const found = new Map<string, ReadTable>();
  for (const metadata of dataSource.entityMetadatas.filter(isResource)) {
    for (const read of await tablesReadBy(metadata)) {
      const triggers = await dataSource.query<unknown[]>(IS_FOLLOWED, [read.table, read.parent]);
      // Several entities may have one table.
      if (triggers.length === 0) found.set(`${read.table} ${read.parent}`, read);
    }
  }
  return [...found.values()];
}

/** Returns the other tables that PostgreSQL reads for a row, according to its plan. */
async function tablesReadBy(metadata: EntityMetadata): Promise<ReadTable[]> {
  const { dataSource, tableName: parent } = metadata;
  const { hasComputedFields, selectAll, name } = new EntityTable(metadata);
  if (!hasComputedFields) return [];
  const plan = await dataSource.query<unknown[]>(
    `explain (verbose, format json) select ${selectAll} from ${name}`,
  );
  const tables = new Set(
    [...JSON.stringify(plan).matchAll(/"Relation Name":"([^"]+)"/g)].map(([, table = '']) => table),
  );
  return [...tables].filter((table) => table !== parent).map((table) => ({ table, parent }));
}
