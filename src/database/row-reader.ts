import { BatchLoader, Found } from './batch-loader.js';
import { Statement } from './connection.js';
import { Reader } from './replicas/replica.js';
import { freeze, KeptRow, RowCache } from './row-cache.js';
import { Reuse } from './reuse.js';
import { countKept, countRead } from './row-counts.js';
import { blockOf, idOfState, tidText } from './row-state.js';
import { isAnyOf, statementName, Table } from './table.js';

type Id = number | string;

/** How states of kept rows are asked for. */
interface StateQuery {
  /** Takes the keys. */
  readonly statement: Omit<Statement, 'values'>;
  /** The order in which it gives the states. */
  readonly order: (a: KeptRow<object>, b: KeptRow<object>) => number;
  readonly keyOf: (kept: KeptRow<object>) => Id;
}

/**
 * The block from which on states are asked for where the rows lay when they were read, which saves the way through the
 * index: half of PostgreSQL's work with a million rows. A version that is not there any more has changed. In a table of
 * few blocks PostgreSQL would look at all of its rows, for it takes ten places for a cost of 40 blocks.
 */
const LARGE = 64;
const BLOCK_BYTES = 8_192;

/**
 * How long a table that was found small is asked by ids. The statement by places was planned for it as it was, and stays
 * so until autovacuum analyzes the table, soon after it is filled again.
 */
const PLANNED_SMALL_MS = 10 * 60_000;

/**
 * Reads rows of a table by their ids or their states, outside transactions. A kept row is not read again where
 * PostgreSQL says that it is still in its state. Look-ups of one kind that are asked of a server at the same time are
 * one statement. Requests share the rows, so they are frozen; those of `findOwn` are not.
 */
export class RowReader<Row extends object> {
  private readonly rowsById: Omit<Statement, 'values'>;
  private readonly byId: StateQuery;
  private readonly byTid: StateQuery;
  /** Until then states are asked for by ids, by `performance.now()`. */
  private byIdUntil = 0;
  private readonly sampled = new Map<Reader, BatchLoader<Id, Row>>();
  private readonly toKeep = new Map<Reader, BatchLoader<Id, Row>>();
  private readonly reuse = new Reuse();
  private readonly unchanged = new Map<Reader, BatchLoader<KeptRow<Row>, true>>();

  /**
   * @param cache of the rows; left out, each is read whole each time
   * @throws Error where there is a cache, and the states of the table do not tell versions of rows
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
    // As PostgreSQL usually finds them, by its index. In another order their states are looked up one by one.
    this.byId = {
      statement: states('"id"', type),
      order: (a, b) => (idIn(a) < idIn(b) ? -1 : 1),
      keyOf: idIn,
    };
    this.byTid = {
      statement: states('"ctid"', 'tid'),
      order: (a, b) => a.tid - b.tid,
      keyOf: ({ tid }) => tidText(tid),
    };
  }

  /** Whether rows are kept. */
  get isKeeping(): boolean {
    return this.cache !== undefined;
  }

  /** How much memory a row that is kept takes, about, in bytes. */
  get bytesOfOne(): number {
    return this.cache?.bytesOfOne ?? 0;
  }

  /** The row of an id; `undefined` where there is none. */
  find(id: Id, on: Reader): Promise<Row | undefined> {
    const kept = this.cache?.ofId(id);
    this.reuse.count(kept !== undefined);
    if (!kept) return this.loaderOfSample(on).load(id);
    return this.loaderOfUnchanged(on)
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
  kept(state: string): Row | undefined {
    return this.cache?.inState(state);
  }

  /** The row in a state, which is kept from then on; `undefined` where it has changed meanwhile, or is gone. */
  async inState(state: string, on: Reader): Promise<Row | undefined> {
    const kept = this.kept(state);
    if (kept) return kept;
    await this.loaderToKeep(on).load(idOfState(state));
    return this.kept(state);
  }

  /** The row whose kept state is not its state any more; `undefined` where it is gone. */
  private async findChanged(kept: KeptRow<Row>, id: Id, on: Reader): Promise<Row | undefined> {
    // It is kept again, or forgotten, at once: until then each read of it would be two statements.
    const row = await this.loaderToKeep(on).load(id);
    if (!row) this.cache?.forget(kept);
    return row;
  }

  /** Keeps what it reads where reads are repeated, else a sample of it: see `Reuse`. */
  private loaderOfSample(on: Reader): BatchLoader<Id, Row> {
    return entryOf(this.sampled, on, (ids) => this.readShared(ids, on, this.reuse.isToBeKept()));
  }

  /** Keeps all that it reads. */
  private loaderToKeep(on: Reader): BatchLoader<Id, Row> {
    return entryOf(this.toKeep, on, (ids) => this.readShared(ids, on, true));
  }

  private loaderOfUnchanged(on: Reader): BatchLoader<KeptRow<Row>, true> {
    return entryOf(this.unchanged, on, async (kept) => {
      const isByTid = performance.now() >= this.byIdUntil && kept.some(({ tid }) => blockOf(tid) >= LARGE);
      const { statement, order, keyOf } = isByTid ? this.byTid : this.byId;
      kept.sort(order);
      const [values] = await on.query<readonly unknown[]>({ ...statement, values: [kept.map(keyOf)] });
      const text = values?.[0] as string | null;
      if (text === kept.map(({ state }) => state).join(',')) return ALL_UNCHANGED;
      const states = new Set(statesOf(text));
      const unchanged = kept.filter(({ state }) => states.has(state));
      // Rows of several parts lie in the same places.
      if (isByTid && states.size > kept.length) this.byIdUntil = Infinity;
      else if (isByTid && unchanged.length === 0 && (await this.isSmall(on)))
        this.byIdUntil = Math.max(this.byIdUntil, performance.now() + PLANNED_SMALL_MS);
      return new Map(unchanged.map((entry) => [entry, true]));
    });
  }

  private async isSmall(on: Reader): Promise<boolean> {
    const text = `select pg_relation_size('${this.table.name}') < ${LARGE * BLOCK_BYTES} as "isSmall"`;
    const [row] = await on.query<{ isSmall: boolean }>({ text, values: [] });
    return row?.isSmall === true;
  }

  private async readShared(ids: readonly Id[], on: Reader, isKept: boolean): Promise<Map<Id, Row>> {
    const { state } = this.table;
    const rows = await this.readAll(ids, on, (values) =>
      this.rowOf(values, isKept ? state.of(values) : undefined),
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

/** The states in the text of several; `null` stands for none. */
export const statesOf = (text: string | null): string[] => (text ? text.split(',') : []);

function entryOf<Key, Value>(
  loaders: Map<Reader, BatchLoader<Key, Value>>,
  on: Reader,
  loadAll: (keys: Key[]) => Promise<Found<Key, Value>>,
): BatchLoader<Key, Value> {
  let loader = loaders.get(on);
  if (!loader) loaders.set(on, (loader = new BatchLoader(loadAll)));
  return loader;
}
