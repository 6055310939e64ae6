export interface Count {
  readonly hits: number;
  /** Milliseconds until the window ends. If the key is blocked, milliseconds until the block ends. */
  readonly msLeft: number;
}

/**
 * Counts hits by key, in constant time. The window of a key starts with its first hit. A counter may block a key that
 * exceeds its limit. The key then starts again from 0 when the block ends. In a counter without blocks, a key starts
 * again from 0 when its window ends.
 */
export interface Counter {
  /**
   * Counts hits of a key: all of them or, if they would exceed the limit, none.
   * @param times the number of hits. 0 only looks up the count
   * @returns the count including these hits, even if they were not counted. A counter in memory returns no promise
   */
  hit(key: string, times?: number, limit?: number): Count | Promise<Count>;
}
