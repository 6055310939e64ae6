import { AsyncLocalStorage } from 'node:async_hooks';

/** The kinds of waits of a request: for its turn, for PostgreSQL, for Redis. */
export type Wait = 'queue' | 'database' | 'redis';

/** To be called once, when a wait is over. */
export type EndOfWait = (error?: unknown) => void;

/** The part of a trace that a request is. */
export interface RequestSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Begins a span of what the request waits for. */
  child(wait: Wait, name: string): EndOfWait;
}

/** Is told when waiting begins and ends. Several waits may be going on at once. */
export interface Waiter {
  readonly span?: RequestSpan;
  /** @param name of the statement or call that is waited for, without values */
  begin(wait: Wait, name?: string): EndOfWait;
}

/**
 * How long one request has waited, and for what. Time in which several waits go on counts once: as that for the
 * database, else as that for Redis.
 */
export class RequestWaits implements Waiter {
  readonly ms: Record<Wait, number> = { queue: 0, database: 0, redis: 0 };
  private readonly going: Record<Wait, number> = { queue: 0, database: 0, redis: 0 };
  private now: Wait | undefined;
  private since = 0;

  /** @param span of the request, where it is traced: each wait that has a name is a span below it */
  constructor(readonly span?: RequestSpan) {}

  begin(wait: Wait, name?: string): EndOfWait {
    const endSpan = this.span && name !== undefined ? this.span.child(wait, name) : undefined;
    this.going[wait]++;
    this.turn();
    return (error) => {
      this.going[wait]--;
      this.turn();
      endSpan?.(error);
    };
  }

  private turn(): void {
    const { database, redis, queue } = this.going;
    const next = database > 0 ? 'database' : redis > 0 ? 'redis' : queue > 0 ? 'queue' : undefined;
    if (next === this.now) return;
    const time = performance.now();
    if (this.now) this.ms[this.now] += time - this.since;
    this.now = next;
    this.since = time;
  }
}

/** Several that wait for the same thing. */
class Waiters implements Waiter {
  readonly span: RequestSpan | undefined;

  constructor(private readonly all: readonly Waiter[]) {
    this.span = all[0]?.span;
  }

  begin(wait: Wait, name?: string): EndOfWait {
    const ends = this.all.map((each) => each.begin(wait, name));
    return (error) => {
      for (const end of ends) end(error);
    };
  }
}

const storage = new AsyncLocalStorage<Waiter>();
/** Whether anybody is followed: until then nothing is looked up. */
let isUsed = false;

/**
 * Whether following a request through its promises costs next to nothing. Before Node.js 24 it takes a fifth of the
 * time of a read.
 */
export const IS_FOLLOWING_CHEAP = Number(process.versions.node.split('.', 1)[0]) >= 24;

/** Who is waiting in what runs now; `undefined` where nobody asks. */
export const currentWaiter = (): Waiter | undefined => (isUsed ? storage.getStore() : undefined);

/** Runs `work`, and what it begins, for a waiter. */
export function waitingFor<T>(waiter: Waiter, work: () => T): T {
  isUsed = true;
  return storage.run(waiter, work);
}

/** Those that wait for their turn together: one piece of work will answer all of them. */
export class SharedTurn {
  private readonly waiters: Waiter[] = [];
  private readonly ends: EndOfWait[] = [];

  /** Who is waiting in what runs now, if anybody asks, waits for this turn too. */
  join(): void {
    const waiter = currentWaiter();
    if (!waiter) return;
    this.waiters.push(waiter);
    this.ends.push(waiter.begin('queue'));
  }

  /** Ends the waiting for the turn, and runs `work` for all who joined. */
  run<T>(work: () => T): T {
    for (const end of this.ends) end();
    return this.waiters.length === 0 ? work() : waitingFor(new Waiters(this.waiters), work);
  }
}
