import { Connection } from '../database/connection.js';
import { Table } from '../database/table.js';
import { ListDefinition } from './list-definition.js';
import { ListQuery } from './list-query.js';
import { ListStatements } from './list-statements.js';
import { Page } from './page.js';

/** A row as a page is read: with the list's total, where it is counted; without an id, nothing but that. */
type Found<Row> = Row & { readonly id: unknown; readonly listTotal?: number };

/** Reads the pages of lists over one table. */
export class ListReader<Row extends object> {
  private readonly lists = new Map<ListDefinition, ListStatements>();

  constructor(
    private readonly database: Pick<Connection, 'query'>,
    private readonly table: Table,
  ) {}

  async page(query: ListQuery): Promise<Page<Row>> {
    const statements = this.statementsOf(query.definition);
    const found = await this.database.query<Found<Row>>(statements.page(query));
    if (query.position.style === 'offset') {
      const rows = found.filter(({ id }) => id !== null);
      return { query, rows, total: found[0]?.listTotal ?? 0 };
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
