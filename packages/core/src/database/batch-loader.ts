import { setImmediate as nextTurn } from 'node:timers/promises';

import { runForAll } from './caller-shares.js';
import { Reader, Statement, statementName } from './connection.js';
import { ConnectionFailedError, isRowError } from './database-error.js';
import { isAnyOf, Table } from './table.js';

/** The most turns of the event loop that look-ups wait for others: microseconds in an idle process. */
const MAX_TURNS = 8;

/**
 * Joins look-ups by key: one query answers all that arrive while earlier ones run, or in the same few turns of the
 * event loop. Nothing is kept. A key that PostgreSQL refuses fails alone. The queries serve callers together, so no
 * caller's share of the connections limits them.
 * @example
 * const loader = new BatchLoader<number, Stock>((ids) => stocks.findByIds(ids));
 * const stock = await loader.load(42);
 */
export class BatchLoader<Key, Value> {
  private waiting = new Map<Key, Lookup<Value>>();
  private running = 0;
  private isGathering = false;

  /**
   * @param loadAll finds the values of some keys; keys it leaves out have none
   * @param concurrency how many queries may run at once before look-ups wait and gather
   */
  constructor(
    private readonly loadAll: (keys: Key[]) => Promise<ReadonlyMap<Key, Value>>,
    private readonly concurrency = 2,
  ) {}

  /** The value of a key, or `undefined` where there is none. Rejects as `loadAll` does. */
  load(key: Key): Promise<Value | undefined> {
    let lookup = this.waiting.get(key);
    if (!lookup) {
      lookup = new Lookup();
      this.waiting.set(key, lookup);
      void runForAll(() => this.run());
    }
    return lookup.promise;
  }

  private async run(): Promise<void> {
    if (this.isGathering || this.running >= this.concurrency) return;
    this.isGathering = true;
    // After the input that is there already has been read: requests of one turn go together.
    await nextTurn();
    let size = 1;
    for (let turn = 1; turn < MAX_TURNS && this.waiting.size > size; turn++) {
      size = this.waiting.size;
      await nextTurn();
    }
    this.isGathering = false;
    const batch = this.waiting;
    this.waiting = new Map();
    this.running++;
    await this.answer(batch);
    this.running--;
    if (this.waiting.size > 0) void this.run();
  }

  /** Never throws: what `loadAll` throws, look-ups reject with. */
  private async answer(batch: ReadonlyMap<Key, Lookup<Value>>): Promise<void> {
    try {
      const values = await this.loadAll([...batch.keys()]);
      for (const [key, lookup] of batch) lookup.resolve(values.get(key));
    } catch (error) {
      if (batch.size > 1 && isRowError(error)) for (const entry of batch) await this.answer(new Map([entry]));
      else for (const lookup of batch.values()) lookup.reject(error);
      if (!(error instanceof ConnectionFailedError)) return;
      for (const lookup of this.waiting.values()) lookup.reject(error);
      this.waiting = new Map();
    }
  }
}

class Lookup<Value> {
  resolve: (value: Value | undefined) => void;
  reject: (reason: unknown) => void;
  readonly promise = new Promise<Value | undefined>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });
}

type Id = number | string;

/** Reads rows of a table by their ids. Look-ups that reach one server at the same time become one statement. */
export class RowReader<Row extends { readonly id: Id }> {
  private readonly statement: Omit<Statement, 'values'>;
  private readonly loaders = new Map<Reader, BatchLoader<Id, Row>>();

  constructor(table: Table) {
    const { whole, name } = table;
    const ids = isAnyOf('"id"', '$1', table.column('id').type);
    const text = `select ${whole} from ${name} where ${ids}`;
    this.statement = { text, name: statementName(text) };
  }

  /** The row of an id; `undefined` if there is none. Each caller gets an object of its own. */
  async find(id: Id, on: Reader): Promise<Row | undefined> {
    let loader = this.loaders.get(on);
    if (!loader) {
      loader = new BatchLoader(async (ids) => {
        const rows = await this.readAll(ids, on);
        return new Map(rows.map((row) => [row.id, row]));
      });
      this.loaders.set(on, loader);
    }
    const row = await loader.load(id);
    return row && { ...row };
  }

  async findAlone(id: Id, on: Reader): Promise<Row | undefined> {
    return (await this.readAll([id], on))[0];
  }

  private readAll(ids: readonly Id[], on: Reader): Promise<Row[]> {
    return on.query<Row>({ ...this.statement, values: [ids] });
  }
}
