import { AsyncLocalStorage } from 'node:async_hooks';

/** What a request waits for: its turn, an answer of PostgreSQL, one of Redis. */
export type Wait = 'queue' | 'database' | 'redis';

/** Is told when waiting begins and ends. Several waits may be going on at once. */
export interface Waiter {
  begin(wait: Wait): void;
  end(wait: Wait): void;
}

/** Where several are going on, the first of these is what counts. */
const ORDER: readonly Wait[] = ['database', 'redis', 'queue'];

/** How long one request has waited, and for what. Time in which several waits go on counts once. */
export class RequestWaits implements Waiter {
  readonly ms: Record<Wait, number> = { queue: 0, database: 0, redis: 0 };
  private readonly going: Record<Wait, number> = { queue: 0, database: 0, redis: 0 };
  private now: Wait | undefined;
  private since = 0;

  begin(wait: Wait): void {
    this.going[wait]++;
    this.turn();
  }

  end(wait: Wait): void {
    this.going[wait]--;
    this.turn();
  }

  private turn(): void {
    const next = ORDER.find((wait) => this.going[wait] > 0);
    if (next === this.now) return;
    const time = performance.now();
    if (this.now) this.ms[this.now] += time - this.since;
    this.now = next;
    this.since = time;
  }
}

/** Several that wait for the same thing. */
class Waiters implements Waiter {
  constructor(private readonly all: readonly Waiter[]) {}

  begin(wait: Wait): void {
    for (const each of this.all) each.begin(wait);
  }

  end(wait: Wait): void {
    for (const each of this.all) each.end(wait);
  }
}

const storage = new AsyncLocalStorage<Waiter>();
/** Whether anybody was ever timed: until then nothing is looked up. */
let isUsed = false;

/** Whether following a request through its promises costs next to nothing. Before Node.js 24 it takes a fifth of the time of a read. */
export const IS_FOLLOWING_CHEAP = Number(process.versions.node.split('.', 1)[0]) >= 24;

/** Who is waiting in what runs now; `undefined` where nobody asks. */
export const currentWaiter = (): Waiter | undefined => (isUsed ? storage.getStore() : undefined);

/** Runs `work`, and what it begins, for a waiter. */
export function waitingFor<T>(waiter: Waiter, work: () => T): T {
  isUsed = true;
  return storage.run(waiter, work);
}

/** Runs `work` for all those that wait for it. */
export function waitingForAll<T>(waiters: readonly Waiter[], work: () => T): T {
  return waiters.length === 0 ? work() : waitingFor(new Waiters(waiters), work);
}

/** Follows requests no longer, at no cost, until the next one is to be timed. */
export function stopFollowing(): void {
  isUsed = false;
  storage.disable();
}
