type Begin = () => void;

/**
 * Those who wait, by caller. Callers take turns, whoever came first: one that waits many times delays the others by one
 * turn each round.
 */
class FairQueue {
  private readonly callers = new Map<string, Set<Begin>>();

  add(begin: Begin, caller: string): void {
    const waiting = this.callers.get(caller) ?? new Set();
    this.callers.set(caller, waiting.add(begin));
  }

  remove(begin: Begin, caller: string): void {
    const waiting = this.callers.get(caller);
    waiting?.delete(begin);
    if (waiting?.size === 0) this.callers.delete(caller);
  }

  /** Removes and returns the first of the caller whose turn it is. */
  shift(): Begin | undefined {
    for (const [caller, waiting] of this.callers)
      for (const begin of waiting) {
        waiting.delete(begin);
        // To the end of the callers.
        this.callers.delete(caller);
        if (waiting.size > 0) this.callers.set(caller, waiting);
        return begin;
      }
    return undefined;
  }

  get size(): number {
    return [...this.callers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** How many begin before another one of a caller. */
  countBefore(caller: string): number {
    const own = this.callers.get(caller)?.size ?? 0;
    let others = 0;
    for (const [other, { size }] of this.callers) if (other !== caller) others += Math.min(size, own + 1);
    return own + others;
  }
}

/** So many urgent ones go first. Then one of the others goes, which would otherwise wait for as long as urgent ones come. */
const URGENT_IN_A_ROW = 3;

/**
 * A number of places that are taken one by one. If none is free, callers wait in turns, each caller once in a round. Of
 * those who wait, three urgent ones go before one of the others.
 */
export class Semaphore {
  private readonly urgent = new FairQueue();
  private readonly others = new FairQueue();
  private urgentInARow = 0;
  /** May be more than there are places, if somebody took one with `enterNow()`. */
  inUse = 0;

  constructor(readonly permits: number) {}

  /**
   * Calls `begin` once it has a place, immediately if one is free.
   * @returns a function that stops waiting, or `undefined` if `begin` was called
   */
  acquire(begin: Begin, { caller = '', isUrgent = false } = {}): (() => void) | undefined {
    if (this.inUse < this.permits) {
      this.acquireNow(begin);
      return undefined;
    }
    const queue = isUrgent ? this.urgent : this.others;
    queue.add(begin, caller);
    return () => queue.remove(begin, caller);
  }

  /** Calls `begin` immediately, even if no place is free. */
  acquireNow(begin: Begin): void {
    this.inUse++;
    begin();
  }

  /** Gives a place back, which the first who waits gets. To be called once for each `begin`. */
  release(): void {
    this.inUse--;
    if (this.inUse >= this.permits) return;
    const isUrgentNext = this.urgentInARow < URGENT_IN_A_ROW || this.others.size === 0;
    const urgent = isUrgentNext ? this.urgent.shift() : undefined;
    this.urgentInARow = urgent ? this.urgentInARow + 1 : 0;
    const next = urgent ?? this.others.shift();
    if (next) this.acquireNow(next);
  }

  /** How many begin before one of a caller that comes now. */
  countWaitingBefore(caller: string, isUrgent: boolean): number {
    const { urgent, others } = this;
    if (isUrgent) {
      const before = urgent.countBefore(caller);
      return before + Math.min(others.size, Math.floor(before / URGENT_IN_A_ROW));
    }
    const before = others.countBefore(caller);
    return before + Math.min(urgent.size, URGENT_IN_A_ROW * (before + 1));
  }
}
