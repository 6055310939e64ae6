import { KeptMemory } from './kept-memory.js';
import { Reuse } from './reuse.js';
import { bytesOfPage } from './row-cache.js';

/** Bytes of a page without its rows, JSON, states and the query. */
const OVERHEAD = 2_000;
/** How many copies of the query a page holds (key, filters, links). Clients decide how long a query is. */
const COPIES = 8;

/**
 * The pages that were shown last, by their queries. None is shown before PostgreSQL has said which rows the page has
 * now, and in which states: a page of the same rows in the same states need not be made again.
 */
export class PageCache<Page> {
  private readonly reuse = new Reuse();

  constructor(private readonly memory: KeptMemory) {}

  /** The page of a query, if it was made of the same rows, in the same states. One that was not is forgotten. */
  get(query: string, madeOf: string): Page | undefined {
    const kept = this.memory.get(query);
    const isPage = kept !== undefined && 'page' in kept;
    const isSame = isPage && kept.madeOf === madeOf;
    this.reuse.count(isSame);
    if (isSame) return kept.page as Page;
    if (isPage) this.memory.delete(query);
    return undefined;
  }

  /**
   * Keeps a page if pages are asked for again. It counts with its rows and their JSON, since it keeps them when the
   * cache of rows has dropped them. Where both keep them, they count twice.
   *
   * @param rows those of the page, which the cache of rows has kept
   */
  offer(query: string, madeOf: string, page: Page, rows: readonly object[]): void {
    if (!this.reuse.shouldKeepNext()) return;
    const size = OVERHEAD + COPIES * query.length + madeOf.length + bytesOfPage(rows);
    this.memory.set(query, { madeOf, page }, { size });
  }
}
