import { Connection } from '../database/connection.js';
import { PageCache } from '../database/page-cache.js';
import { Reader } from '../database/replicas/replica.js';
import { Reuse } from '../database/reuse.js';
import { countKept, countRead } from '../database/row-counts.js';
import { RowReader, statesOf } from '../database/row-reader.js';
import { Table } from '../database/table.js';
import { TotalsFolder } from '../database/totals-folder.js';
import { BatchedPages, Values } from './batched-pages.js';
import { CursorKey } from './cursor.js';
import { markKept } from './kept-rows.js';
import { ListDefinition } from './list-definition.js';
import { ListQuery } from './list-query.js';
import { ListStatements } from './list-statements.js';
import { Page } from './page.js';

/** The parts of the database that reading pages takes. */
interface ListDatabase extends Pick<Connection, 'query'> {
  readonly totals: Pick<TotalsFolder, 'found'>;
}

/** The statements of a list, and how often its rows are read again. */
interface List {
  readonly ofRows: ListStatements;
  readonly ofStates: ListStatements;
  readonly reuse: Reuse;
}

/**
 * Reads the pages of lists over one table: as whole rows or, where most rows are probably kept, as the states of rows.
 * Either way a page shows one snapshot.
 */
export class ListReader<Row extends object> {
  private readonly lists = new Map<ListDefinition, List>();
  /** By the `batch` of their statements, and by the server that they are read from. */
  private readonly batched = new WeakMap<object, Map<Reader, BatchedPages>>();

  /** The index of the id among the values of a row. */
  private readonly idAt: number;

  constructor(
    private readonly database: ListDatabase,
    private readonly table: Table,
    private readonly rows: RowReader<Row> = new RowReader(table),
    private readonly pages?: PageCache<Page<Row>>,
  ) {
    this.idAt = table.whole.properties.indexOf('id');
  }

  /** The page of a query. @param on the server that it is read from: the primary, or a replica */
  async page(query: ListQuery, on: Reader = this.database): Promise<Page<Row>> {
    const list = this.listOf(query.definition);
    const areLikelyKept = this.rows.isKeeping && list.reuse.isHigh;
    const page = areLikelyKept ? await this.pageOfStates(query, list, on) : undefined;
    return page ?? this.pageOfRows(query, list, on);
  }

  private async pageOfRows(query: ListQuery, { ofRows, reuse }: List, on: Reader): Promise<Page<Row>> {
    const statement = ofRows.page(query);
    const found = await this.read(query, ofRows, statement, on);
    const { whole, state } = this.table;
    const width = whole.width + state.width;
    if (query.position.style === 'cursor') {
      const rows = this.rowsOf(found.slice(0, query.limit), reuse);
      if (found.length <= query.limit) return { query, rows, next: null };
      const beside = found[query.limit - 1]?.slice(width) as CursorKey[];
      return {
        query,
        rows,
        next: keysOf(query, rows, (property) => beside[statement.cursorProperties.indexOf(property)]),
      };
    }
    const [first = []] = found;
    const isPastTheEnd = first[this.idAt] === null;
    const rows = this.rowsOf(isPastTheEnd ? [] : found, reuse);
    return { query, rows, total: this.totalOf(first, width, ofRows) };
  }

  /**
   * The page, of rows that are kept or read by their ids; `undefined` if it has to be read whole, because a row has
   * changed in the meantime, the cache has no room for the rows, or the cursor needs values that rows do not hold.
   */
  private async pageOfStates(query: ListQuery, list: List, on: Reader): Promise<Page<Row> | undefined> {
    const statement = list.ofStates.page(query);
    if (statement.cursorProperties.length > 0) return undefined;
    const [values = []] = await this.read(query, list.ofStates, statement, on);
    const isCursor = query.position.style === 'cursor';
    const total = isCursor ? undefined : this.totalOf(values, 1, list.ofStates);
    const text = (values[0] ?? '') as string;
    const madeOf = total === undefined ? text : `${total} of ${text}`;
    const same = this.pages?.get(query.key, madeOf);
    if (same) {
      for (const _ of same.rows) list.reuse.count(true);
      countKept(same.rows.length);
      return same;
    }
    const found = statesOf(text);
    const rows = await this.inStates(isCursor ? found.slice(0, query.limit) : found, list.reuse, on);
    if (!rows) return undefined;
    const next = found.length > query.limit ? keysOf(query, rows) : null;
    const page = Object.freeze(total === undefined ? { query, rows, next } : { query, rows, total });
    this.pages?.offer(query.key, madeOf, page, rows);
    return page;
  }

  private read(
    query: ListQuery,
    statements: ListStatements,
    statement: ReturnType<ListStatements['page']>,
    on: Reader,
  ): Promise<readonly Values[]> {
    const { batch } = statement;
    return batch ? this.batchedPages(batch, statements, on).read(query) : on.query<Values>(statement);
  }

  private rowsOf(found: readonly Values[], reuse: Reuse): readonly Row[] {
    countRead(found.length);
    const areToBeKept = this.rows.isKeeping && reuse.shouldKeepNext();
    const rows = found.map((values) => {
      if (!areToBeKept) return this.rows.rowOf(values);
      const state = this.table.state.of(values);
      const kept = this.rows.keptInState(state);
      reuse.count(kept !== undefined);
      return kept ?? this.rows.rowOf(values, state);
    });
    return Object.freeze(rows);
  }

  private async inStates(
    states: readonly string[],
    reuse: Reuse,
    on: Reader,
  ): Promise<readonly Row[] | undefined> {
    const kept = states.map((state) => this.rows.keptInState(state));
    for (const row of kept) reuse.count(row !== undefined);
    const missing = kept.filter((row) => row === undefined).length;
    const rows =
      missing === 0 ? kept : await Promise.all(states.map((state) => this.rows.findInState(state, on)));
    if (rows.includes(undefined)) {
      // The page is read twice, which costs most: soon it is read whole at once.
      for (const _ of states) reuse.count(false);
      return undefined;
    }
    countKept(rows.length - missing);
    return markKept(rows as Row[]);
  }

  /** @param at the index of the total among the values. The number of changes it was summed up from follows it */
  private totalOf(values: Values, at: number, { totals }: ListStatements): number {
    if (totals) this.database.totals.found(totals, (values[at + 1] ?? 0) as number);
    return (values[at] ?? 0) as number;
  }

  private batchedPages(batch: object, statements: ListStatements, on: Reader): BatchedPages {
    const byReader = this.batched.get(batch) ?? new Map<Reader, BatchedPages>();
    this.batched.set(batch, byReader);
    const pages = byReader.get(on) ?? new BatchedPages(statements, on);
    byReader.set(on, pages);
    return pages;
  }

  private listOf(definition: ListDefinition): List {
    let list = this.lists.get(definition);
    if (!list) {
      const [ofRows, ofStates] = [
        new ListStatements(this.table, definition),
        new ListStatements(this.table, definition, 'states'),
      ];
      this.lists.set(definition, (list = { ofRows, ofStates, reuse: new Reuse() }));
    }
    return list;
  }
}

/**
 * The keys of the cursor that follows some rows: the values of the last row in the terms of the sort.
 *
 * @param exact the value of a property that the row shows less exactly
 */
function keysOf(
  { sort }: ListQuery,
  rows: readonly object[],
  exact?: (property: string) => CursorKey | undefined,
): CursorKey[] {
  const last = rows.at(-1) as Readonly<Record<string, CursorKey>>;
  return sort.map(({ property }) => exact?.(property) ?? (last[property] as CursorKey));
}
