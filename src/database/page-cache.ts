import { LRUCache } from 'lru-cache';

import { Reuse } from './reuse.js';

/** A page that was made of rows in certain states. */
interface KeptPage<Page> {
  /** The total, if the page shows one, and the states of its rows, as one text. */
  readonly madeOf: string;
  readonly page: Page;
}

/** Bytes of a page without its rows, their JSON and the query. */
const OVERHEAD = 2_000;
/** How many copies of the query a page holds (key, filters, links). Clients decide how long a query is. */
const COPIES = 8;

/**
 * The pages that were shown last, by their queries. None is shown before PostgreSQL has said which rows the page has
 * now, and in which states: a page of the same rows in the same states need not be made again.
 */
export class PageCache<Page> {
  private readonly pages: LRUCache<string, KeptPage<Page>>;
  private readonly reuse = new Reuse();

  /** @param maxBytes of memory that its pages take, about */
  constructor(maxBytes: number) {
    this.pages = new LRUCache({ maxSize: maxBytes });
  }

  /** How much memory its pages take, about. */
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

  /** Keeps a page if pages are asked for again. @param bytes of memory that its rows take, with their JSON */
  offer(query: string, madeOf: string, page: Page, bytes: number): void {
    const size = OVERHEAD + COPIES * query.length + Math.ceil(bytes);
    if (this.reuse.shouldKeepNext()) this.pages.set(query, { madeOf, page }, { size });
  }
}
