import { setImmediate as nextTurn } from 'node:timers/promises';

import { runWithoutCaller } from './caller-shares.js';
import { ConnectionFailedError, isRowError } from './database-error.js';

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
      void runWithoutCaller(() => this.run());
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
    await this.settleBatch(batch);
    this.running--;
    if (this.waiting.size > 0) void this.run();
  }

  /** Never throws: what `loadAll` throws, look-ups reject with. */
  private async settleBatch(batch: ReadonlyMap<Key, Lookup<Value>>): Promise<void> {
    try {
      const values = await this.loadAll([...batch.keys()]);
      for (const [key, lookup] of batch) lookup.resolve(values.get(key));
    } catch (error) {
      if (batch.size > 1 && isRowError(error))
        for (const entry of batch) await this.settleBatch(new Map([entry]));
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
