type Begin = () => void;

/**
 * A queue in which callers take turns. In each round, the queue returns one entry of each caller. A caller with many
 * entries therefore delays another caller by only one entry per round, even if all of these entries came first.
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
    // The new entry is in round `own + 1`. Up to that round, every other caller has one entry in each round.
    const own = this.callers.get(caller)?.size ?? 0;
    let others = 0;
    for (const [other, { size }] of this.callers) if (other !== caller) others += Math.min(size, own + 1);
    return own + others;
  }
}

/** After this many urgent entries in a row, one entry that is not urgent begins. Otherwise it might never begin. */
const URGENT_IN_A_ROW = 3;

/**
 * Limits how much work runs at once, such as the hashing of passwords. If no permit is free, work waits in a queue in
 * which callers take turns, so that a caller with much work does not delay other callers for long. While urgent entries
 * wait, three of them begin before each entry that is not urgent.
 */
export class Semaphore {
  private readonly urgent = new FairQueue();
  private readonly others = new FairQueue();
  private urgentInARow = 0;
  /** The number of permits in use. After `acquireNow()`, it can be higher than `permits`. */
  inUse = 0;

  constructor(readonly permits: number) {}

  /**
   * Calls `begin` as soon as a permit is free, which may be immediately.
   * @returns a function that removes `begin` from the queue, or `undefined` if `begin` has already been called
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

  /** Returns a permit. If an entry waits, it gets the permit and begins. Call this method once for each `begin`. */
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
