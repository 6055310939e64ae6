import { PageCache } from './page-cache.js';
import { RowCache } from './row-cache.js';

type Entity<Row> = abstract new (...args: never) => Row;

/** The share of the memory that is for pages. */
const OF_PAGES = 1 / 2;

/** The caches of this process. All repositories that read the rows of an entity share one. */
export class RowCaches {
  private readonly rows = new Map<Entity<object>, RowCache<object>>();
  private readonly pages = new Map<Entity<object>, PageCache<unknown>>();

  /** @param maxBytes how much memory each entity may take; 0: nothing is kept */
  constructor(private readonly maxBytes: number) {}

  /** The cache of the rows of an entity; `undefined` where nothing is kept. */
  of<Row extends object>(entity: Entity<Row>): RowCache<Row> | undefined {
    const make = (): RowCache<object> => new RowCache(Math.ceil(this.maxBytes * (1 - OF_PAGES)));
    return this.in(this.rows, entity, make) as unknown as RowCache<Row> | undefined;
  }

  /** The cache of the pages that show rows of an entity; `undefined` where nothing is kept. */
  pagesOf<Page>(entity: Entity<object>): PageCache<Page> | undefined {
    const make = (): PageCache<unknown> => new PageCache(Math.ceil(this.maxBytes * OF_PAGES));
    return this.in(this.pages, entity, make) as PageCache<Page> | undefined;
  }

  /** How much memory each entity takes, about, by its name. */
  get bytes(): ReadonlyMap<string, number> {
    const bytes = new Map<string, number>();
    for (const caches of [this.rows, this.pages])
      for (const [{ name }, cache] of caches) bytes.set(name, (bytes.get(name) ?? 0) + cache.bytes);
    return bytes;
  }

  private in<Cache>(
    caches: Map<Entity<object>, Cache>,
    entity: Entity<object>,
    make: () => Cache,
  ): Cache | undefined {
    if (this.maxBytes === 0) return undefined;
    let cache = caches.get(entity);
    if (!cache) caches.set(entity, (cache = make()));
    return cache;
  }
}
