import { KeptMemory, newKeptMemory } from './kept-memory.js';
import { PageCache } from './page-cache.js';
import { RowCache } from './row-cache.js';

type Entity<Row> = abstract new (...args: never) => Row;

/** The memory of an entity, and the caches that share it. */
interface Kept {
  readonly memory: KeptMemory;
  readonly rows: RowCache<object>;
  readonly pages: PageCache<unknown>;
}

/** The caches of this process. All repositories that read the rows of an entity share one. */
export class RowCaches {
  private readonly kept = new Map<Entity<object>, Kept>();

  /** @param maxBytes how much memory each entity may take; 0: nothing is kept */
  constructor(private readonly maxBytes: number) {}

  /** The cache of the rows of an entity; `undefined` where nothing is kept. */
  of<Row extends object>(entity: Entity<Row>): RowCache<Row> | undefined {
    return this.ofEntity(entity)?.rows as unknown as RowCache<Row> | undefined;
  }

  /** The cache of the pages that show rows of an entity; `undefined` where nothing is kept. */
  pagesOf<Page>(entity: Entity<object>): PageCache<Page> | undefined {
    return this.ofEntity(entity)?.pages as PageCache<Page> | undefined;
  }

  /** How much memory each entity takes, about, by its name. */
  get bytes(): ReadonlyMap<string, number> {
    const bytes = new Map<string, number>();
    for (const [{ name }, { memory }] of this.kept)
      bytes.set(name, (bytes.get(name) ?? 0) + memory.calculatedSize);
    return bytes;
  }

  private ofEntity(entity: Entity<object>): Kept | undefined {
    if (this.maxBytes === 0) return undefined;
    let kept = this.kept.get(entity);
    if (!kept) {
      const memory = newKeptMemory(this.maxBytes);
      kept = { memory, rows: new RowCache(memory), pages: new PageCache(memory) };
      this.kept.set(entity, kept);
    }
    return kept;
  }
}
