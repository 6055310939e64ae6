type Begin = () => void;

/**
 * A queue in which callers take turns. A caller with many entries delays the others by one entry in each round, however
 * early its entries came.
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

  /** Removes and returns the first entry of the caller whose turn it is. */
  shift(): Begin | undefined {
    for (const [caller, waiting] of this.callers)
      for (const begin of waiting) {
        waiting.delete(begin);
        // The caller moves to the end of the round.
        this.callers.delete(caller);
        if (waiting.size > 0) this.callers.set(caller, waiting);
        return begin;
      }
    return undefined;
  }

  get size(): number {
    return [...this.callers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** The number of entries that come before a new entry of a caller. */
  countBefore(caller: string): number {
    const own = this.callers.get(caller)?.size ?? 0;
    let others = 0;
    for (const [other, { size }] of this.callers) if (other !== caller) others += Math.min(size, own + 1);
    return own + others;
  }
}

/** After this many urgent entries in a row, one other entry begins. Otherwise urgent entries could keep it out forever. */
const URGENT_IN_A_ROW = 3;

/**
 * Limits how much work runs at once: connections of a caller, or hashes of passwords. If no permit is free, work waits
 * in a queue in which callers take turns, so that a caller with much work does not delay the others. Three urgent entries
 * begin before one of the others.
 */
export class Semaphore {
  private readonly urgent = new FairQueue();
  private readonly others = new FairQueue();
  private urgentInARow = 0;
  /** Can be more than `permits` after `acquireNow()`. */
  inUse = 0;

  constructor(readonly permits: number) {}

  /**
   * Calls `begin` once a permit is free, which may be at once.
   * @returns a function that stops waiting; `undefined` if `begin` was called
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

  /** Calls `begin` at once, even if no permit is free. */
  acquireNow(begin: Begin): void {
    this.inUse++;
    begin();
  }

  /** Gives a permit back, which the next waiting entry gets. Call it once for each `begin`. */
  release(): void {
    this.inUse--;
    if (this.inUse >= this.permits) return;
    const isUrgentNext = this.urgentInARow < URGENT_IN_A_ROW || this.others.size === 0;
    const urgent = isUrgentNext ? this.urgent.shift() : undefined;
    this.urgentInARow = urgent ? this.urgentInARow + 1 : 0;
    const next = urgent ?? this.others.shift();
    if (next) this.acquireNow(next);
  }

  /** The number of entries that begin before a new entry of a caller. */
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
