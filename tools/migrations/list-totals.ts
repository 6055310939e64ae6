import { DataSource } from 'typeorm';

import { Table } from '../../src/core/database/table.js';
import {
  changesTable,
  createTotals,
  dropTotals,
  Totals,
  totalsTable,
} from '../../src/core/database/totals-sql.js';
import { ListDefinition } from '../../src/core/lists/list-definition.js';
import { totalsOf } from '../../src/core/lists/list-totals.js';
import { inSequence, NOTHING, Statements } from './statements.js';

const COLUMNS = `
  select array_agg(column_name::text order by ordinal_position) filter (where column_name not in ('n', 'xid')) as columns
  from information_schema.columns where table_schema = 'public' and table_name = $1 having count(*) > 0`;

const DELETED_AT = `
  select 1 from pg_proc where pronamespace = 'public'::regnamespace and proname = $1 and prosrc like '% where "%" is null%'`;

/** Statements that create the totals that lists keep, and change those that are kept by other columns. */
export async function missingTotals(
  dataSource: DataSource,
  lists: readonly ListDefinition[],
): Promise<Statements> {
  // Lists of one table have the same ones.
  const wanted = new Map<string, Totals>();
  for (const list of lists) {
    const totals = totalsOf(list, new Table(dataSource.getMetadata(list.entity)));
    if (totals) wanted.set(totals.table, totals);
  }
  const parts: Statements[] = [];
  for (const totals of wanted.values()) parts.push(await changeOf(totals, dataSource));
  return inSequence(parts);
}

async function changeOf(totals: Totals, dataSource: DataSource): Promise<Statements> {
  const { table, columns, deletedAt } = totals;
  const [row] = await dataSource.query<{ columns: string[] | null }[]>(COLUMNS, [changesTable(table)]);
  const made = { up: createTotals(totals), down: dropTotals(totals) };
  if (!row) return made;
  const isOfKept =
    (await dataSource.query<unknown[]>(DELETED_AT, [`${totalsTable(table)}_insert`])).length > 0;
  const there = { table, columns: row.columns ?? [], deletedAt: isOfKept ? deletedAt : undefined };
  const isSame = String(there.columns) === String(columns) && isOfKept === (deletedAt !== undefined);
  if (isSame) return NOTHING;
  return inSequence([{ up: dropTotals(there), down: createTotals(there) }, made]);
}
