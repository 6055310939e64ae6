import { BatchLoader, Found } from './batch-loader.js';
import { Statement } from './connection.js';
import { statementName } from './prepared-names.js';
import { Reader } from './replicas/replica.js';
import { KeptRow } from './kept-memory.js';
import { freeze, RowCache } from './row-cache.js';
import { Reuse } from './reuse.js';
import { countKept, countRead } from './row-counts.js';
import { blockOf, idOfState, tidText } from './row-state.js';
import { isAnyOf, Table } from './table.js';

type Id = number | string;

/** One of the two ways to ask for the states of kept rows: by their ids, or by their places. */
interface StateQuery {
  /** Its only parameter is an array of what `addressOf` gives. */
  readonly statement: Omit<Statement, 'values'>;
  /** The order in which PostgreSQL usually gives the states. In another order they are looked up one by one. */
  readonly order: (a: KeptRow<object>, b: KeptRow<object>) => number;
  /** The id or the place of a row. */
  readonly addressOf: (kept: KeptRow<object>) => Id;
}

/**
 * A table of more blocks is large: states are asked for by the places where the rows lay when they were read. That
 * saves the search in the index, half of PostgreSQL's work with a million rows. PostgreSQL would scan a smaller table:
 * it estimates that ten places cost as much as 40 blocks.
 */
const LARGE_BLOCKS = 64;
const BLOCK_BYTES = 8_192;

/**
 * How long a table that turned out to be small is asked by ids. PostgreSQL keeps the plan that it made for the small
 * table until autovacuum analyzes the table, which is soon after it has been filled again.
 */
const PLANNED_SMALL_MS = 10 * 60_000;

/**
 * How long the size of a table is not asked for again. Nobody waits for the question, so it may come often: of a table
 * that is emptied and filled again within this time it may never be asked while the table is small.
 */
const SIZE_KNOWN_MS = 1_000;

/**
 * Reads rows of a table by their ids or their states, outside transactions. A kept row is not read again if PostgreSQL
 * says that it is still in its state. Look-ups of one kind that reach one server at the same time become one statement.
 * Requests share the rows, so the rows are frozen. Those of `findOwn` are neither shared nor frozen.
 */
export class RowReader<Row extends object> {
  private readonly rowsById: Omit<Statement, 'values'>;
  private readonly byId: StateQuery;
  private readonly byTid: StateQuery;
  /** States are asked for by ids until then, in milliseconds of `performance.now()`. */
  private byIdUntil = 0;
  /** Whether rows were not where they lay, since the size of the table was asked for last: it may have become small. */
  private isSizeDue = false;
  /** The size is not asked for again until then; `Infinity` while it is being asked for. */
  private sizeKnownUntil = -Infinity;
  private readonly samplingLoaders = new Map<Reader, BatchLoader<Id, Row>>();
  private readonly keepingLoaders = new Map<Reader, BatchLoader<Id, Row>>();
  private readonly unchangedLoaders = new Map<Reader, BatchLoader<KeptRow<Row>, true>>();
  private readonly reuse = new Reuse();

  /**
   * @param cache keeps the rows; without one, every read is of whole rows
   * @throws Error if there is a cache, but the states of the table do not tell versions of a row apart
   */
  constructor(
    private readonly table: Table,
    private readonly cache?: RowCache<Row>,
  ) {
    const { whole, state, name, condition } = table;
    if (cache && !state.isOfVersion)
      throw new Error(`Rows of ${name} cannot be kept: their states are read without xmin.`);
    const isThere = condition ? ` and ${condition}` : '';
    const among = (column: string, type: string): string =>
      `from ${name} where ${isAnyOf(column, '$1', type)}${isThere}`;
    const states = (column: string, type: string): Omit<Statement, 'values'> =>
      prepared(`select string_agg(${state.sql}, ',') ${among(column, type)}`, (values) => values);
    const { type } = table.column('id');
    this.rowsById = prepared(`select ${whole.sql}, ${state.columns} ${among('"id"', type)}`, whole.read);
    this.byId = {
      statement: states('"id"', type),
      order: (a, b) => (idIn(a) < idIn(b) ? -1 : 1),
      addressOf: idIn,
    };
    this.byTid = {
      statement: states('"ctid"', 'tid'),
      order: (a, b) => a.tid - b.tid,
      addressOf: ({ tid }) => tidText(tid),
    };
  }

  /** Whether rows are kept. */
  get isKeeping(): boolean {
    return this.cache !== undefined;
  }

  /** The row of an id; `undefined` if there is none. */
  find(id: Id, on: Reader): Promise<Row | undefined> {
    const kept = this.cache?.ofId(id);
    this.reuse.count(kept !== undefined);
    if (!kept) return this.samplingLoader(on).load(id);
    return this.unchangedLoader(on)
      .load(kept)
      .then((isUnchanged) => {
        if (!isUnchanged) return this.findChanged(kept, id, on);
        countKept(1);
        return kept.row;
      });
  }

  /** The rows of some ids, read on a connection, a transaction's as well: they are neither shared nor kept. */
  findOwn(ids: readonly Id[], on: Reader): Promise<Map<Id, Row>> {
    return this.readAll(ids, on, (values) => this.table.whole.read(values) as Row);
  }

  /** Makes a row of the values of a whole one, and keeps it in its state. */
  rowOf(values: readonly unknown[], state?: string): Row {
    const row = freeze(this.table.whole.read(values) as Row);
    if (state !== undefined) this.cache?.keep(state, this.table.state.tidOf(values), row);
    return row;
  }

  /** The row in a state, if it is kept. */
  keptInState(state: string): Row | undefined {
    return this.cache?.inState(state);
  }

  /**
   * The row in a state, kept or read and then kept; `undefined` if it has changed in the meantime or is gone, or if the
   * cache has no room for it.
   */
  async findInState(state: string, on: Reader): Promise<Row | undefined> {
    const kept = this.keptInState(state);
    if (kept) return kept;
    await this.keepingLoader(on).load(idOfState(state));
    return this.keptInState(state);
  }

  /** The row that is no longer in its kept state; `undefined` if it is gone. */
  private async findChanged(kept: KeptRow<Row>, id: Id, on: Reader): Promise<Row | undefined> {
    // It is kept again, or forgotten, at once: otherwise each further read would take two statements.
    const row = await this.keepingLoader(on).load(id);
    if (!row) this.cache?.forget(kept);
    return row;
  }

  /** Loads rows by their ids. Keeps all of them if reads are repeated, otherwise a sample: see `Reuse`. */
  private samplingLoader(on: Reader): BatchLoader<Id, Row> {
    return loaderIn(this.samplingLoaders, on, (ids) => this.readShared(ids, on, this.reuse.shouldKeepNext()));
  }

  /** Loads rows by their ids, and keeps all of them. */
  private keepingLoader(on: Reader): BatchLoader<Id, Row> {
    return loaderIn(this.keepingLoaders, on, (ids) => this.readShared(ids, on, true));
  }

  /** Tells which kept rows are still in their states. */
  private unchangedLoader(on: Reader): BatchLoader<KeptRow<Row>, true> {
    return loaderIn(this.unchangedLoaders, on, async (kept) => {
      const isByTid =
        performance.now() >= this.byIdUntil && kept.some(({ tid }) => blockOf(tid) >= LARGE_BLOCKS);
      const { statement, order, addressOf } = isByTid ? this.byTid : this.byId;
      kept.sort(order);
      const found = on.query<readonly unknown[]>({ ...statement, values: [kept.map(addressOf)] });
      if (isByTid && this.isSizeDue) void this.askSize(on);
      const [values] = await found;
      const text = values?.[0] as string | null;
      if (text === kept.map(({ state }) => state).join(',')) return ALL_UNCHANGED;
      const states = new Set(statesOf(text));
      const unchanged = kept.filter(({ state }) => states.has(state));
      // In a partitioned table each partition has a row in the same place.
      if (isByTid && states.size > kept.length) this.byIdUntil = Infinity;
      else if (isByTid && unchanged.length === 0) {
        this.isSizeDue = true;
        void this.askSize(on);
      }
      return new Map(unchanged.map((entry) => [entry, true]));
    });
  }

  /**
   * Has states asked for by ids for a while if the table is small. Reads do not wait for the answer, unless no other
   * connection is free. A partitioned table has no blocks of its own and counts as small: its states are better asked
   * for by ids in any case.
   */
  private async askSize(on: Reader): Promise<void> {
    if (performance.now() < this.sizeKnownUntil) return;
    this.isSizeDue = false;
    this.sizeKnownUntil = Infinity;
    const text = `select pg_relation_size('${this.table.name}') < ${LARGE_BLOCKS * BLOCK_BYTES} as "isSmall"`;
    try {
      const [row] = await on.query<{ isSmall: boolean }>({ text, values: [] });
      if (row?.isSmall) this.byIdUntil = Math.max(this.byIdUntil, performance.now() + PLANNED_SMALL_MS);
    } catch {
      // Without an answer states are asked for by places: slower at worst, never wrong. Reads tell what the fault is.
      this.isSizeDue = true;
    } finally {
      this.sizeKnownUntil = performance.now() + SIZE_KNOWN_MS;
    }
  }

  private async readShared(ids: readonly Id[], on: Reader, areToBeKept: boolean): Promise<Map<Id, Row>> {
    const { state } = this.table;
    const rows = await this.readAll(ids, on, (values) =>
      this.rowOf(values, areToBeKept ? state.of(values) : undefined),
    );
    countRead(rows.size);
    return rows;
  }

  private async readAll(
    ids: readonly Id[],
    on: Reader,
    read: (values: readonly unknown[]) => Row,
  ): Promise<Map<Id, Row>> {
    const rows = await on.query<Row>({ ...this.rowsById, read, values: [ids] });
    return new Map(rows.map((row) => [(row as { id: Id }).id, row]));
  }
}

function prepared(text: string, read: NonNullable<Statement['read']>): Omit<Statement, 'values'> {
  return { text, name: statementName(text), read };
}

const ALL_UNCHANGED: Found<unknown, true> = { get: () => true };

const idIn = ({ row }: KeptRow<object>): Id => (row as { id: Id }).id;

/** The states in the text that joins them; `null` is the text of none. */
export const statesOf = (text: string | null): string[] => (text ? text.split(',') : []);

function loaderIn<Key, Value>(
  loaders: Map<Reader, BatchLoader<Key, Value>>,
  on: Reader,
  loadAll: (keys: Key[]) => Promise<Found<Key, Value>>,
): BatchLoader<Key, Value> {
  let loader = loaders.get(on);
  if (!loader) loaders.set(on, (loader = new BatchLoader(loadAll)));
  return loader;
}
