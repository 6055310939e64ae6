export interface Count {
  readonly hits: number;
  /** Until the window ends or, if the key is blocked, until the block ends. */
  readonly msLeft: number;
}

/**
 * Counts by key in windows that start with the first hit of a key, in constant time. A counter may block keys that exceed
 * their limit: such a key starts again from 0 when its block ends. Without blocks it starts again with the next window.
 */
export interface Counter {
  /**
   * Counts hits of a key: all of them or, if they would exceed the limit, none.
   * @param times 0 only looks up the count
   * @returns the count with these hits, even if they were not counted. No promise if the counter is in memory
   */
  hit(key: string, times?: number, limit?: number): Count | Promise<Count>;
}
