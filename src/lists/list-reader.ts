import { Connection } from '../database/connection.js';
import { Reader } from '../database/replicas/replica.js';
import { TotalsFolder } from '../database/totals-folder.js';
import { Table } from '../database/table.js';
import { BatchedPages, Values } from './batched-pages.js';
import { CursorKey } from './cursor.js';
import { ListDefinition } from './list-definition.js';
import { ListQuery } from './list-query.js';
import { ListStatements } from './list-statements.js';
import { Page } from './page.js';

/** Where pages are read. */
interface ListDatabase extends Pick<Connection, 'query'> {
  readonly totals: Pick<TotalsFolder, 'found'>;
}

/** Reads the pages of lists over one table. */
export class ListReader<Row extends object> {
  private readonly lists = new Map<ListDefinition, ListStatements>();
  /** By the `batch` of their statements, and by where they are read. */
  private readonly batched = new WeakMap<object, Map<Reader, BatchedPages>>();
  /** Where the id stands among the values of a row. */
  private readonly idAt: number;

  constructor(
    private readonly database: ListDatabase,
    private readonly table: Table,
  ) {
    this.idAt = table.whole.properties.indexOf('id');
  }

  /** @param on where it is read: the primary, or a replica */
  async page(query: ListQuery, on: Reader = this.database): Promise<Page<Row>> {
    const statements = this.statementsOf(query.definition);
    const statement = statements.page(query);
    const { batch, keys } = statement;
    const found = batch
      ? await this.batchedPages(batch, statements, on).read(query)
      : await on.query<Values>(statement);
    if (query.position.style === 'cursor') return this.cursorPage(query, found, keys);
    const { width } = this.table.whole;
    const [first = []] = found;
    if (statements.totals) this.database.totals.found(statements.totals, (first[width + 1] ?? 0) as number);
    const isPastTheEnd = first[this.idAt] === null;
    return { query, rows: isPastTheEnd ? [] : this.rowsOf(found), total: (first[width] ?? 0) as number };
  }

  /** @param keys the properties of which a cursor holds another value than the row: those after the row's own */
  private cursorPage(query: ListQuery, found: readonly Values[], keys: readonly string[]): Page<Row> {
    const rows = this.rowsOf(found.length > query.limit ? found.slice(0, query.limit) : found);
    const last = rows.at(-1) as Readonly<Record<string, CursorKey>> | undefined;
    if (!last || found.length <= query.limit) return { query, rows, next: null };
    const values = found[rows.length - 1] as Values;
    const next = query.sort.map(({ property }) => {
      const place = keys.indexOf(property);
      return place < 0
        ? (last[property] as CursorKey)
        : (values[this.table.whole.width + place] as CursorKey);
    });
    return { query, rows, next };
  }

  private rowsOf(found: readonly Values[]): Row[] {
    const { read } = this.table.whole;
    return found.map((values) => read(values) as Row);
  }

  private batchedPages(batch: object, statements: ListStatements, on: Reader): BatchedPages {
    const byReader = this.batched.get(batch) ?? new Map<Reader, BatchedPages>();
    this.batched.set(batch, byReader);
    const pages = byReader.get(on) ?? new BatchedPages(statements, on);
    byReader.set(on, pages);
    return pages;
  }

  private statementsOf(definition: ListDefinition): ListStatements {
    let statements = this.lists.get(definition);
    if (!statements) this.lists.set(definition, (statements = new ListStatements(this.table, definition)));
    return statements;
  }
}
