import { BatchLoader } from './batch-loader.js';
import { Statement } from './connection.js';
import { Reader } from './replicas/replica.js';
import { freeze, KeptRow, RowCache } from './row-cache.js';
import { countKept, countRead } from './row-counts.js';
import { isAnyOf, statementName, Table } from './table.js';

type Id = number | string;

/**
 * Reads rows of a table by their ids, or by their states. A row that is kept is not read again where PostgreSQL says
 * that it is in the same state. What is asked for at once, of the same server, is one statement. It is for reads
 * outside transactions: nobody else may see what those write until they commit.
 *
 * Requests share the rows: they are frozen.
 */
export class RowReader<Row extends object> {
  private readonly rowsById: Omit<Statement, 'values'>;
  private readonly statesById: Omit<Statement, 'values'>;
  private readonly found = new Map<Reader, BatchLoader<Id, Row>>();
  private readonly unchanged = new Map<Reader, BatchLoader<KeptRow<Row>, true>>();

  /** @param cache of the rows; left out, each is read whole each time */
  constructor(
    private readonly table: Table,
    private readonly cache?: RowCache<Row>,
  ) {
    const { whole, state, name, condition } = table;
    const isThere = condition ? ` and ${condition}` : '';
    const among = `from ${name} where ${isAnyOf('"id"', '$1', table.column('id').type)}${isThere}`;
    const rows = `select ${whole.sql}, ${state} ${among}`;
    const states = `select string_agg(${state}, ',') ${among}`;
    this.rowsById = { text: rows, name: statementName(rows), read: whole.read };
    this.statesById = { text: states, name: statementName(states), read: (values) => values };
  }

  /** Whether rows are kept. */
  get isKeeping(): boolean {
    return this.cache !== undefined;
  }

  /** The row of an id; `undefined` where there is none. */
  async find(id: Id, on: Reader): Promise<Row | undefined> {
    const kept = this.cache?.ofId(id);
    if (kept && (await this.loaderOfUnchanged(on).load(kept))) {
      countKept(1);
      return kept.row;
    }
    return this.loaderOf(on).load(id);
  }

  /** The rows of some ids, read on a connection, a transaction's as well: they are not shared, nor kept. */
  async findOwn(ids: readonly Id[], on: Reader): Promise<Map<Id, Row>> {
    const rows = await on.query<Row>({ ...this.rowsById, values: [ids] });
    return new Map(rows.map((row) => [(row as { id: Id }).id, row]));
  }

  /** Makes a row of the values of a whole one and its state, and keeps it. */
  rowOf(values: readonly unknown[]): Row {
    const { whole } = this.table;
    const row = freeze(whole.read(values) as Row);
    this.cache?.keep(values[whole.width] as string, row);
    return row;
  }

  /** The row in a state, if it is kept. */
  kept(state: string): Row | undefined {
    return this.cache?.inState(state);
  }

  /** The row in a state; `undefined` where it has changed meanwhile, or is gone. */
  async inState(state: string, on: Reader): Promise<Row | undefined> {
    const kept = this.kept(state);
    if (kept) return kept;
    const id = state.slice(0, state.indexOf(' '));
    await this.loaderOf(on).load(id);
    return this.kept(state);
  }

  private loaderOf(on: Reader): BatchLoader<Id, Row> {
    return entryOf(this.found, on, async (ids) => {
      const rowOf = (values: readonly unknown[]): object => this.rowOf(values);
      const rows = await on.query<Row>({ ...this.rowsById, read: rowOf, values: [ids] });
      countRead(rows.length);
      return new Map(rows.map((row) => [(row as { id: Id }).id, row]));
    });
  }

  private loaderOfUnchanged(on: Reader): BatchLoader<KeptRow<Row>, true> {
    return entryOf(this.unchanged, on, async (kept) => {
      const ids = kept.map(({ row }) => (row as { id: Id }).id);
      const [values] = await on.query<readonly unknown[]>({ ...this.statesById, values: [ids] });
      const states = new Set(statesOf(values?.[0]));
      return new Map(kept.filter(({ state }) => states.has(state)).map((entry) => [entry, true]));
    });
  }
}

/** The states in the text of several; `null` stands for none. */
export const statesOf = (text: unknown): string[] => (typeof text === 'string' ? text.split(',') : []);

function entryOf<Key, Value>(
  loaders: Map<Reader, BatchLoader<Key, Value>>,
  on: Reader,
  loadAll: (keys: Key[]) => Promise<ReadonlyMap<Key, Value>>,
): BatchLoader<Key, Value> {
  let loader = loaders.get(on);
  if (!loader) loaders.set(on, (loader = new BatchLoader(loadAll)));
  return loader;
}
