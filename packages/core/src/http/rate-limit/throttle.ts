/** A limit that a request is counted under. */
export interface Throttle {
  /** The name of the throttler: `default`, or one that the application declares. */
  readonly name: string;
  /** How many requests a window allows. */
  readonly limit: number;
  /** The length of a window. */
  readonly ttlMs: number;
  /** How long a caller above the limit is blocked. 0 blocks the caller until the window ends. */
  readonly blockMs: number;
  /** The requests of a caller that share a count: those to all routes (`caller`), or those to this route (`route`). */
  readonly scope: 'caller' | 'route';
}
