import { ConnectionFailedError, isRowError } from './database-error.js';

/** The most turns of the event loop that look-ups wait for others: microseconds in an idle process. */
const MAX_TURNS = 8;

/**
 * Joins look-ups by key: one query answers all that arrive while earlier ones run, or in the same few turns of the
 * event loop. Nothing is kept. A key that PostgreSQL refuses fails alone.
 * @example
 * const loader = new BatchLoader<number, Stock>((ids) => stocks.findByIds(ids));
 * const stock = await loader.load(42);
 */
export class BatchLoader<Key, Value> {
  private waiting = new Map<Key, Lookup<Value>>();
  private running = 0;
  private isScheduled = false;

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
      this.schedule();
    }
    return lookup.promise;
  }

  private schedule(): void {
    if (this.isScheduled || this.running >= this.concurrency) return;
    this.isScheduled = true;
    this.gather(1, MAX_TURNS);
  }

  /** Waits for a turn of the event loop, and for another one where it brought further look-ups. */
  private gather(size: number, turnsLeft: number): void {
    // After the input that is there already has been read: requests of one turn go together.
    setImmediate(() => {
      if (this.waiting.size > size && turnsLeft > 1) {
        this.gather(this.waiting.size, turnsLeft - 1);
        return;
      }
      this.isScheduled = false;
      void this.run();
    });
  }

  private async run(): Promise<void> {
    const batch = this.waiting;
    if (batch.size === 0) return;
    this.waiting = new Map();
    this.running++;
    await this.answer(batch);
    this.running--;
    if (this.waiting.size > 0) this.schedule();
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
