/** A limit that a request is counted under. */
export interface Throttle {
  /** The name of the throttler: `default`, or one that the application declares. */
  readonly name: string;
  /** The requests in a window. */
  readonly limit: number;
  /** The length of a window. */
  readonly ttlMs: number;
  /** How long a caller above the limit is blocked; 0 until the window ends. */
  readonly blockMs: number;
  /** The requests that share a count: those of a caller to all routes, or to this route. */
  readonly scope: 'caller' | 'route';
}
