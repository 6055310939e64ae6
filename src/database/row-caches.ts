import { RowCache } from './row-cache.js';

/** The caches of this process: one for each entity, however many repositories read its rows. */
export class RowCaches {
  private readonly caches = new Map<object, RowCache<object>>();

  /** @param maxBytes that each may take; 0: nothing is kept */
  constructor(private readonly maxBytes: number) {}

  /** The cache of the rows of an entity; `undefined` where nothing is kept. */
  of<Row extends object>(entity: abstract new (...args: never) => Row): RowCache<Row> | undefined {
    if (this.maxBytes === 0) return undefined;
    let cache = this.caches.get(entity);
    if (!cache) this.caches.set(entity, (cache = new RowCache<object>(this.maxBytes)));
    return cache as unknown as RowCache<Row>;
  }
}
