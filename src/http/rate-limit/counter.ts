/** The state of a key's window. */
export interface Count {
  /** Hits of this window. */
  readonly hits: number;
  /** Milliseconds until the window ends. */
  readonly msLeft: number;
}

/** Counts by key in windows that start with a key's first hit, in O(1). Returns no promise where memory is enough. */
export interface Counter {
  /** Counts one hit of a key. @returns the count with it */
  hit(key: string): Count | Promise<Count>;
  /** The count of a key, without a hit. */
  peek(key: string): Count | Promise<Count>;
  /** The number of keys in memory of this process. */
  readonly size: number;
  /** Hits that this process has counted for itself because what it shares its counts with did not answer. */
  readonly fallbacks: number;
}
