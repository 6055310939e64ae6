import { EntityTable } from '../database/entity-table.js';
import { QueryExecutor } from '../database/sql-executor.js';
import { CursorKey } from './cursor.js';
import { ParsedListQuery } from './list-query.js';
import { listStatement, totalStatement } from './list-statement.js';
import { LoadedPage } from './page.js';

type PageRow<Row> = Row & { id?: unknown; listTotal?: number; cursorKeys?: string };

/**
 * Reads a page with one statement, so that the rows and the total are from the same snapshot.
 * @param db the primary, a replica, or a transaction
 */
export async function readPage<Row extends object>(
  table: EntityTable,
  query: ParsedListQuery,
  db: QueryExecutor,
): Promise<LoadedPage<Row>> {
  const { limit, position } = query;
  const found = await db.query<PageRow<Row>>(listStatement(table, query));
  if (position.style === 'offset' && position.page > 1 && found.length === 0)
    return readPastTheEnd(table, query, db);
  const total = found[0]?.listTotal ?? 0;
  // For a page by cursor, the statement reads one row more than the limit. If that row exists, another page follows.
  const keys = found.length > limit && found[limit - 1]?.cursorKeys;
  // On a page past the end, the only row has the total but no id.
  const isPastTheEnd = found[0]?.id === null;
  for (const row of found) {
    delete row.listTotal;
    delete row.cursorKeys;
  }
  if (position.style === 'cursor')
    return { query, rows: found.slice(0, limit), next: keys ? (JSON.parse(keys) as CursorKey[]) : null };
  return { query, rows: isPastTheEnd ? [] : found, total };
}

/**
 * Counts the rows of a list whose page was empty. If the page is not past the end any more, it is read again, so that rows
 * and total are always from one moment.
 */
async function readPastTheEnd<Row extends object>(
  table: EntityTable,
  query: ParsedListQuery,
  db: QueryExecutor,
): Promise<LoadedPage<Row>> {
  const { limit, position } = query;
  const [counted] = await db.query<{ listTotal: number }>(totalStatement(table, query));
  const total = counted?.listTotal ?? 0;
  const skipped = position.style === 'offset' ? (position.page - 1) * limit : 0;
  return total > skipped ? readPage(table, query, db) : { query, rows: [], total };
}
