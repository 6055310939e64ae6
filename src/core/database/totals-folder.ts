import { Logger } from '@nestjs/common';

import { Connection } from './connection.js';
import { foldStatement, removeZeros, Totals } from './totals-sql.js';

/** Every so often an instance sums up what has gathered. */
const PERIOD_MS = 60_000;
/** From so many changes on, those who read a total notice them. */
const MANY = 1_000;
/** How long readers start no other run: each leaves versions of sums behind, which a long snapshot keeps. */
const PAUSE_MS = 5_000;

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

  /** To be told how many changes a reader has found. */
  found(totals: Totals, changes: number): void {
    const now = performance.now();
    if (changes < MANY || now < (this.pausedUntil.get(totals.table) ?? 0)) return;
    this.pausedUntil.set(totals.table, now + PAUSE_MS);
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
        })
        .finally(() => this.running.delete(table));
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

  /** Sums up, and removes sums that became 0 under the same lock. */
  private run(totals: Totals): Promise<void> {
    return this.database.transaction(async (on) => {
      const [result] = await on.query<{ zeros: string[] }>({ text: foldStatement(totals), values: [] });
      const zeros = result?.zeros ?? [];
      if (zeros.length > 0) await on.query({ text: removeZeros(totals), values: [zeros] });
    });
  }
}
