import type { CursorPage, OffsetPage } from './types.js';

/** The default page size for reading a whole list: the maximum that the server allows. */
const WALK_LIMIT = 100;

export interface PagePosition {
  readonly page?: number;
  readonly cursor?: string;
  readonly limit?: number;
}

/**
 * The pages of a list, one after the other. After a failure, `next()` requests the same page again, so that a list that
 * loads while the user scrolls can continue when the connection is back.
 */
export interface Pages<Item> extends AsyncIterableIterator<CursorPage<Item>> {
  next(): Promise<IteratorResult<CursorPage<Item>, undefined>>;
}

/**
 * A list of which nothing has been requested yet. `await` returns the first page, with the total. `for await` reads all
 * items by cursor: an item that exists during the whole read comes exactly once, even if others are added or deleted.
 */
export class List<Item> implements AsyncIterable<Item>, PromiseLike<OffsetPage<Item>> {
  readonly #fetchPage: (position: PagePosition) => Promise<OffsetPage<Item> | CursorPage<Item>>;
  readonly #limit: number | undefined;

  constructor(
    fetchPage: (position: PagePosition) => Promise<OffsetPage<Item> | CursorPage<Item>>,
    limit: number | undefined,
  ) {
    this.#fetchPage = fetchPage;
    this.#limit = limit;
  }

  /** Returns a page by its number, from 1, with the total. */
  page(number: number): Promise<OffsetPage<Item>> {
    return this.#fetchPage({ page: number }) as Promise<OffsetPage<Item>>;
  }

  /**
   * Returns the page after a cursor: the `nextCursor` of the previous page. Without a cursor, returns the first page.
   */
  after(cursor?: string | null): Promise<CursorPage<Item>> {
    return this.#fetchPage({ cursor: cursor ?? '' }) as Promise<CursorPage<Item>>;
  }

  /** Returns an iterator over all pages, by cursor. */
  pages(): Pages<Item> {
    let cursor: string | null = '';
    const step = async (): Promise<IteratorResult<CursorPage<Item>, undefined>> => {
      if (cursor === null) return { done: true, value: undefined };
      const value = (await this.#fetchPage({ cursor, limit: this.#limit ?? WALK_LIMIT })) as CursorPage<Item>;
      cursor = value.pagination.nextCursor;
      return { done: false, value };
    };
    let last: Promise<unknown> = Promise.resolve();
    return {
      next: () => {
        // Concurrent calls get the pages one after the other.
        const page = last.then(step, step);
        last = page;
        return page;
      },
      return: async () => {
        await last.catch(() => undefined);
        cursor = null;
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** Returns all items, or the first `max` of them. */
  async toArray({ max = Infinity }: { max?: number } = {}): Promise<Item[]> {
    const items: Item[] = [];
    if (max <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }

  then<Fulfilled = OffsetPage<Item>, Rejected = never>(
    onFulfilled?: ((page: OffsetPage<Item>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.page(1).then(onFulfilled, onRejected);
  }
}
