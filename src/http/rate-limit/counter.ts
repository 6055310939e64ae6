/** Where a caller stands in its window. */
export interface Count {
  /** Hits of this window. */
  readonly hits: number;
  /** Milliseconds until the window ends. */
  readonly msLeft: number;
}

/** Counts by key in windows that start with a key's first hit, in O(1). At once where it need not ask elsewhere. */
export interface Counter {
  /** Counts one hit of a key, and gives the count with it. */
  hit(key: string): Count | Promise<Count>;
  /** The count of a key as it is. */
  peek(key: string): Count | Promise<Count>;
}
