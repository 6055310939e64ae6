import { Connection } from '../database/connection.js';
import { TotalsFolder } from '../database/totals-folder.js';
import { Table } from '../database/table.js';
import { ListDefinition } from './list-definition.js';
import { ListQuery } from './list-query.js';
import { ListStatements } from './list-statements.js';
import { Page } from './page.js';

/** A row as a page by number is read: with the list's total; without an id, nothing but that. */
type Found<Row> = Row & { readonly id: unknown; readonly listTotal?: number; readonly listPending?: number };

/** Where pages are read. */
interface ListDatabase extends Pick<Connection, 'query'> {
  readonly totals: Pick<TotalsFolder, 'found'>;
}

/** Reads the pages of lists over one table. */
export class ListReader<Row extends object> {
  private readonly lists = new Map<ListDefinition, ListStatements>();

  constructor(
    private readonly database: ListDatabase,
    private readonly table: Table,
  ) {}

  async page(query: ListQuery): Promise<Page<Row>> {
    const statements = this.statementsOf(query.definition);
    const found = await this.database.query<Found<Row>>(statements.page(query));
    if (query.position.style === 'offset') {
      const { listTotal = 0, listPending = 0 } = found[0] ?? {};
      if (statements.totals) this.database.totals.found(statements.totals, listPending);
      return { query, rows: found.filter(({ id }) => id !== null), total: listTotal };
    }
    const rows = found.slice(0, query.limit);
    const last = rows.at(-1);
    const next = last && found.length > query.limit ? statements.keysOf(query, last) : null;
    for (const row of rows) statements.strip(query, row);
    return { query, rows, next };
  }

  private statementsOf(definition: ListDefinition): ListStatements {
    let statements = this.lists.get(definition);
    if (!statements) this.lists.set(definition, (statements = new ListStatements(this.table, definition)));
    return statements;
  }
}
