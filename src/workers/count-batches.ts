import { Count } from '../http/rate-limit/counter.js';
import { Asked } from './messages.js';

/** Longer than an answer takes while the primary is alive: it does nothing that takes long. */
const ANSWER_WITHIN_MS = 1_000;
/** The most turns of the event loop that counts wait for others: a loaded process does other work meanwhile. */
const MAX_TURNS = 8;

interface Asking {
  readonly asked: Asked;
  readonly resolve: (counted: Count) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Asks the primary for counts in batches. One is under way at a time: what is asked meanwhile, or in the same few turns of
 * the event loop, gathers for the next. A message between processes costs more than the counts that it carries.
 */
export class CountBatches {
  private waiting: Asking[] = [];
  private underWay:
    | { readonly batch: number; readonly askings: Asking[]; readonly timer: NodeJS.Timeout }
    | undefined;
  private isGathering = false;
  private lastBatch = 0;

  /** @param send sends a batch to the primary, whose answer is to be passed to `answered` */
  constructor(private readonly send: (batch: number, asked: readonly Asked[]) => void) {}

  /** @throws Error where the primary does not answer within a second */
  ask(asked: Asked): Promise<Count> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, resolve, reject });
      this.begin();
    });
  }

  /** @param counts hits and milliseconds left of each that was asked for, by turns */
  answered(batch: number, counts: readonly number[]): void {
    if (this.underWay?.batch !== batch) return;
    const { askings, timer } = this.underWay;
    clearTimeout(timer);
    this.underWay = undefined;
    askings.forEach(({ resolve }, i) => {
      resolve({ hits: counts[2 * i] ?? 0, msLeft: counts[2 * i + 1] ?? 0 });
    });
    if (this.waiting.length > 0) this.begin();
  }

  private begin(): void {
    if (this.isGathering || this.underWay) return;
    this.isGathering = true;
    this.gather(this.waiting.length, MAX_TURNS);
  }

  /** Waits for a turn of the event loop, and for another one where it brought more to count. */
  private gather(size: number, turnsLeft: number): void {
    setImmediate(() => {
      if (this.waiting.length > size && turnsLeft > 1) {
        this.gather(this.waiting.length, turnsLeft - 1);
        return;
      }
      this.isGathering = false;
      this.sendBatch();
    });
  }

  private sendBatch(): void {
    const askings = this.waiting;
    this.waiting = [];
    const batch = ++this.lastBatch;
    // Timers run before messages are read: where this process was busy, the answer may be there.
    const timer = setTimeout(() => setImmediate(() => this.giveUp(batch)), ANSWER_WITHIN_MS).unref();
    this.underWay = { batch, askings, timer };
    this.send(
      batch,
      askings.map(({ asked }) => asked),
    );
  }

  /** Those that wait for the next batch have waited long as well. */
  private giveUp(batch: number): void {
    if (this.underWay?.batch !== batch) return;
    const error = new Error('The primary process does not answer.');
    for (const { reject } of [...this.underWay.askings, ...this.waiting]) reject(error);
    this.underWay = undefined;
    this.waiting = [];
  }
}
