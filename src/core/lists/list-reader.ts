import { Reader } from '../database/replicas/replica.js';
import { Table } from '../database/table.js';
import { CursorKey } from './cursor.js';
import { ListQuery } from './list-query.js';
import { pageStatement } from './list-statement.js';
import { Page } from './page.js';

/** Reads the pages of lists over one table. A page is one statement, and shows one snapshot. */
export class ListReader<Row extends object> {
  constructor(
    private readonly database: Reader,
    private readonly table: Table,
  ) {}

  /** The page of a query. @param on a replica, or the transaction that reads it */
  async page(query: ListQuery, on: Reader = this.database): Promise<Page<Row>> {
    const { limit, position } = query;
    const { read, width, properties } = this.table.whole;
    const found = await on.query<readonly unknown[]>(pageStatement(this.table, query));
    if (position.style === 'cursor') {
      const next = found.length > limit ? (found[limit - 1]?.slice(width) as CursorKey[]) : null;
      return { query, rows: found.slice(0, limit).map(read) as Row[], next };
    }
    const [first = []] = found;
    const isPastTheEnd = first[properties.indexOf('id')] === null;
    return { query, rows: isPastTheEnd ? [] : (found.map(read) as Row[]), total: first[width] as number };
  }
}
