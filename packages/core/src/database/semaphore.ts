/**
 * A number of places that are taken one by one. If none is free, callers wait: urgent ones before the others, and
 * otherwise in the order in which they came.
 */
export class Semaphore {
  /** By rank: the urgent, and the others. */
  private readonly waiting = [new Set<() => void>(), new Set<() => void>()] as const;
  /** May be more than there are places, if somebody took one with `enterNow()`. */
  taken = 0;

  constructor(readonly places: number) {}

  /**
   * Calls `begin` once it has a place, immediately if one is free.
   * @returns a function that stops waiting, or `undefined` if `begin` was called
   */
  enter(begin: () => void, isUrgent = false): (() => void) | undefined {
    if (this.taken < this.places) {
      this.enterNow(begin);
      return undefined;
    }
    const queue = this.waiting[isUrgent ? 0 : 1];
    queue.add(begin);
    return () => queue.delete(begin);
  }

  /** Calls `begin` immediately, even if no place is free. */
  enterNow(begin: () => void): void {
    this.taken++;
    begin();
  }

  /** Gives a place back, which the first who waits gets. To be called once for each `begin`. */
  leave(): void {
    this.taken--;
    const [urgent, others] = this.waiting;
    const queue = urgent.size > 0 ? urgent : others;
    const [next] = queue;
    if (!next || this.taken >= this.places) return;
    queue.delete(next);
    this.enterNow(next);
  }

  /** How many begin before one that comes now. */
  waitingBefore(isUrgent: boolean): number {
    const [urgent, others] = this.waiting;
    return urgent.size + (isUrgent ? 0 : others.size);
  }
}
