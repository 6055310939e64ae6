import { LRUCache } from 'lru-cache';

import { KeptMemory, keptMemory } from './kept-memory.js';
import { Reuse } from './reuse.js';
import { bytesOfPage } from './row-cache.js';

/** A page that was made of rows in certain states. */
interface KeptPage<Page> {
  /** The total, if the page shows one, and the states of its rows, as one text. */
  readonly madeOf: string;
  readonly page: Page;
}

/** Bytes of a page without its rows, JSON, states and the query. */
const OVERHEAD = 2_000;
/** The part of the memory that one page may take: it would drop its own rows, and all others. */
const MAX_SHARE = 1 / 2;
/** How many copies of the query a page holds (key, filters, links). Clients decide how long a query is. */
const COPIES = 8;

/**
 * The pages that were shown last, by their queries. None is shown before PostgreSQL has said which rows the page has
 * now, and in which states: a page of the same rows in the same states need not be made again.
 */
export class PageCache<Page> {
  private readonly pages: LRUCache<string, KeptPage<Page>>;
  private readonly reuse = new Reuse();

  /** @param memory that it shares, or how many bytes one of its own may take, about */
  constructor(memory: KeptMemory | number) {
    this.pages = keptMemory(memory) as typeof this.pages;
  }

  /** How many bytes its memory takes, about. */
  get bytes(): number {
    return this.pages.calculatedSize;
  }

  /** The page of a query, if it was made of the same rows, in the same states. */
  get(query: string, madeOf: string): Page | undefined {
    const kept = this.pages.get(query);
    const isSame = kept?.madeOf === madeOf;
    this.reuse.count(isSame);
    return isSame ? kept.page : undefined;
  }

  /**
   * Keeps a page if pages are asked for again. It counts with its rows and their JSON: it keeps them after the cache of
   * rows has dropped them, as that does with rows that only kept pages show.
   *
   * @param rows those of the page, which the cache of rows has kept
   */
  offer(query: string, madeOf: string, page: Page, rows: readonly object[]): void {
    if (!this.reuse.shouldKeepNext()) return;
    const size = OVERHEAD + COPIES * query.length + madeOf.length + bytesOfPage(rows);
    if (size <= this.pages.maxSize * MAX_SHARE) this.pages.set(query, { madeOf, page }, { size });
  }
}
