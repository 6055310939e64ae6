import { Reader } from '../database/connection.js';
import { Table } from '../database/table.js';
import { CursorKey } from './cursor.js';
import { ListQuery } from './list-query.js';
import { pageStatement } from './list-statement.js';
import { Page } from './page.js';

/** A row, with what its statement says of the page. */
type Found<Row> = Row & { id?: unknown; listTotal?: number; cursorKeys?: CursorKey[] };

/** Reads the pages of lists over one table. A page is one statement, and shows one snapshot. */
export class ListReader<Row extends object> {
  constructor(
    private readonly database: Reader,
    private readonly table: Table,
  ) {}

  /** The page of a query. @param on a replica, or the transaction that reads it */
  async page(query: ListQuery, on: Reader = this.database): Promise<Page<Row>> {
    const { limit, position } = query;
    const found = await on.query<Found<Row>>(pageStatement(this.table, query));
    const next = found.length > limit ? (found[limit - 1]?.cursorKeys ?? null) : null;
    const total = found[0]?.listTotal ?? 0;
    const isPastTheEnd = found[0]?.id === null;
    for (const row of found) {
      delete row.listTotal;
      delete row.cursorKeys;
    }
    if (position.style === 'cursor') return { query, rows: found.slice(0, limit), next };
    return { query, rows: isPastTheEnd ? [] : found, total };
  }
}
