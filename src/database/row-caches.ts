import { RowCache } from './row-cache.js';

type Entity<Row> = abstract new (...args: never) => Row;

/** The caches of this process: one for each entity, however many repositories read its rows. */
export class RowCaches {
  private readonly caches = new Map<Entity<object>, RowCache<object>>();

  /** @param maxBytes that each may take; 0: nothing is kept */
  constructor(private readonly maxBytes: number) {}

  /** The cache of the rows of an entity; `undefined` where nothing is kept. */
  of<Row extends object>(entity: Entity<Row>): RowCache<Row> | undefined {
    if (this.maxBytes === 0) return undefined;
    let cache = this.caches.get(entity);
    if (!cache) this.caches.set(entity, (cache = new RowCache<object>(this.maxBytes)));
    return cache as unknown as RowCache<Row>;
  }

  /** How much memory the rows of each entity take, about, by the entity's name. */
  get bytes(): ReadonlyMap<string, number> {
    const bytes = new Map<string, number>();
    for (const [{ name }, cache] of this.caches) bytes.set(name, (bytes.get(name) ?? 0) + cache.bytes);
    return bytes;
  }
}
