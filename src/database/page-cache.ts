import { LRUCache } from 'lru-cache';

import { Reuse } from './reuse.js';

/** A page that was made of rows in certain states. */
interface KeptPage<Page> {
  /** The text of the states, with what else the page says of its list. */
  readonly made: string;
  readonly page: Page;
}

/** Bytes of a page beside its rows, their JSON and what was asked for. */
const OVERHEAD = 2_000;
/** How often it holds what was asked for, of which clients write as much as they like: its key, filters and links. */
const COPIES = 8;

/**
 * The pages that were shown last, by what was asked for. None is shown before PostgreSQL has said which rows the page has
 * now, and in which states: if they are those that the page was made of, it need not be made again.
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

  /** The page that was made of the same, when the same was asked for. */
  get(asked: string, made: string): Page | undefined {
    const kept = this.pages.get(asked);
    const isSame = kept?.made === made;
    this.reuse.count(isSame);
    return isSame ? kept.page : undefined;
  }

  /** Keeps a page, where pages are asked for again. @param bytes that its rows take, with their JSON */
  offer(asked: string, made: string, page: Page, bytes: number): void {
    if (this.reuse.isToBeKept())
      this.pages.set(asked, { made, page }, { size: OVERHEAD + COPIES * asked.length + Math.ceil(bytes) });
  }
}
