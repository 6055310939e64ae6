import { Reader } from '../database/replicas/replica.js';
import { Table } from '../database/table.js';
import { CursorKey } from './cursor.js';
import { ListDefinition } from './list-definition.js';
import { ListQuery } from './list-query.js';
import { ListStatements } from './list-statements.js';
import { Page } from './page.js';

type Values = readonly unknown[];

/** Reads the pages of lists over one table. A page is one statement, and shows one snapshot. */
export class ListReader<Row extends object> {
  private readonly lists = new Map<ListDefinition, ListStatements>();
  /** The index of the id among the values of a row. */
  private readonly idAt: number;

  constructor(
    private readonly database: Reader,
    private readonly table: Table,
  ) {
    this.idAt = table.whole.properties.indexOf('id');
  }

  /** The page of a query. @param on a replica, or the transaction that reads it */
  async page(query: ListQuery, on: Reader = this.database): Promise<Page<Row>> {
    const statements = this.statementsOf(query.definition);
    const { cursorProperties, ...statement } = statements.page(query);
    const found = await on.query<Values>(statement);
    const { width } = this.table.whole;
    if (query.position.style === 'cursor') {
      const rows = this.rowsOf(found.slice(0, query.limit));
      if (found.length <= query.limit) return { query, rows, next: null };
      const beside = found[query.limit - 1]?.slice(width) as CursorKey[];
      const exact = new Map(cursorProperties.map((property, i) => [property, beside[i] as CursorKey]));
      return { query, rows, next: keysOf(query, rows.at(-1) as Row, exact) };
    }
    const [first = []] = found;
    const isPastTheEnd = first[this.idAt] === null;
    return { query, rows: this.rowsOf(isPastTheEnd ? [] : found), total: (first[width] ?? 0) as number };
  }

  private rowsOf(found: readonly Values[]): Row[] {
    return found.map((values) => this.table.whole.read(values) as Row);
  }

  private statementsOf(definition: ListDefinition): ListStatements {
    let statements = this.lists.get(definition);
    if (!statements) this.lists.set(definition, (statements = new ListStatements(this.table, definition)));
    return statements;
  }
}

/**
 * The keys of the cursor that follows a row: its values in the terms of the sort.
 *
 * @param exact the values of properties that the row shows less exactly
 */
function keysOf({ sort }: ListQuery, row: object, exact: ReadonlyMap<string, CursorKey>): CursorKey[] {
  const shown = row as Readonly<Record<string, CursorKey>>;
  return sort.map(({ property }) => exact.get(property) ?? (shown[property] as CursorKey));
}
