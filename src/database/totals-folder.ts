import { Logger } from '@nestjs/common';

import { Connection } from './connection.js';
import { changesTable, foldStatement, removeZeros, Totals } from './totals-sql.js';

/** Every so often an instance sums up what has gathered. */
const PERIOD_MS = 60_000;
/** From so many changes on, those who read a total notice them. */
const MANY = 100;
/** After a run that has summed up nothing, readers start none for so long. */
const PAUSE_MS = 1_000;
/** Changes that one statement sums up. */
const BATCH = 10_000;
/** From so many changes on, their place in the table is made free at once. */
const WORTH_VACUUM = 1_000;

type Queries = Pick<Connection, 'query'>;

/** The parts of the database that summing up takes. */
interface FoldingDatabase extends Queries {
  transaction<T>(work: (on: Queries) => Promise<T>): Promise<T>;
}

/**
 * Sums up the changes of totals: when a reader has found many of them, and every minute. Any number of instances may do
 * so; totals are exact whether or not anybody does.
 */
export class TotalsFolder {
  private readonly logger = new Logger('Totals');
  private readonly known = new Map<string, Totals>();
  private readonly running = new Map<string, Promise<void>>();
  /** By table, until when readers start no run, as `performance.now()` counts. */
  private readonly pausedUntil = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(private readonly database: FoldingDatabase) {}

  /** Has the changes of these totals summed up from now on. */
  register(totals: Totals): void {
    this.known.set(totals.table, totals);
    // Instances that start together do not all come at the same moment.
    this.timer ??= setTimeout(() => void this.foldAll(), PERIOD_MS * (0.5 + Math.random())).unref();
  }

  /**
   * To be told how many changes a reader has found. Where a run sums up nothing, because another connection is at it or
   * it fails, the readers of the next second start none: each run is a transaction.
   */
  found(totals: Totals, changes: number): void {
    if (changes < MANY || performance.now() < (this.pausedUntil.get(totals.table) ?? 0)) return;
    void this.fold(totals);
  }

  /** Sums up what has gathered. What fails is logged, and done another time. */
  fold(totals: Totals): Promise<void> {
    const { table } = totals;
    let run = this.running.get(table);
    if (!run && !this.isOver) {
      run = this.run(totals)
        .catch((error: unknown) => {
          this.logger.warn(`The totals of ${table} could not be summed up: ${String(error)}`);
          return 0;
        })
        .then((summed) => {
          this.running.delete(table);
          if (summed === 0) this.pausedUntil.set(table, performance.now() + PAUSE_MS);
        });
      this.running.set(table, run);
    }
    return run ?? Promise.resolve();
  }

  /** Ends it, once what runs has ended. */
  async stop(): Promise<void> {
    this.isOver = true;
    clearTimeout(this.timer);
    await Promise.all(this.running.values());
  }

  private async foldAll(): Promise<void> {
    for (const totals of this.known.values()) await this.fold(totals);
    if (!this.isOver) this.timer = setTimeout(() => void this.foldAll(), PERIOD_MS).unref();
  }

  /** Gives how many changes were summed up. */
  private async run(totals: Totals): Promise<number> {
    let summed = 0;
    for (let isMore = true; isMore && !this.isOver;) {
      const folded = await this.foldBatch(totals);
      summed += folded;
      isMore = folded === BATCH;
    }
    if (summed >= WORTH_VACUUM) {
      await this.database.query({ text: `vacuum "${changesTable(totals.table)}"`, values: [] });
    }
    return summed;
  }

  /** Sums up one batch, and removes sums that became 0 under the same lock. Gives how many changes were summed up. */
  private foldBatch(totals: Totals): Promise<number> {
    return this.database.transaction(async (on) => {
      const text = foldStatement(totals, BATCH);
      const [result] = await on.query<{ folded: number; zeros: string[] }>({ text, values: [] });
      const { folded = 0, zeros = [] } = result ?? {};
      if (zeros.length > 0) await on.query({ text: removeZeros(totals), values: [zeros] });
      return folded;
    });
  }
}
