import { RowCache } from './row-cache.js';

/** The caches of this process: one for each table that rows are read of by a repository. */
export class RowCaches {
  /** @param maxBytes that each may take; 0: nothing is kept */
  constructor(private readonly maxBytes: number) {}

  /** A new cache; `undefined` where nothing is kept. */
  create<Row extends object>(): RowCache<Row> | undefined {
    return this.maxBytes > 0 ? new RowCache(this.maxBytes) : undefined;
  }
}
