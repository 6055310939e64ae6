import type { CursorPage, OffsetPage } from './types.js';

/** Items of a page while a whole list is walked, unless `limit` says otherwise: the most that the server gives. */
const WALK_LIMIT = 100;

export interface PagePosition {
  readonly page?: number;
  readonly cursor?: string;
  readonly limit?: number;
}

/**
 * The pages of a list, one after the other. `next()` after a failure asks for the same page again, so that a list that
 * grows while somebody scrolls goes on when the connection is back.
 */
export interface Pages<Item> extends AsyncIterableIterator<CursorPage<Item>> {
  next(): Promise<IteratorResult<CursorPage<Item>, undefined>>;
}

/**
 * A list that nothing has been asked of yet. `for await` walks through all of its items, by cursor: an item that is
 * there throughout comes exactly once, whatever comes and goes meanwhile. `await` gives the first page, with the total.
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

  /** A page by its number, from 1, with the total. */
  page(number: number): Promise<OffsetPage<Item>> {
    return this.#fetchPage({ page: number }) as Promise<OffsetPage<Item>>;
  }

  /** The page after a cursor, which is the `nextCursor` of the page before; without one the first. */
  after(cursor?: string | null): Promise<CursorPage<Item>> {
    return this.#fetchPage({ cursor: cursor ?? '' }) as Promise<CursorPage<Item>>;
  }

  /** All pages, by cursor. */
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
        // One at a time, in order, whoever asks twice at once.
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

  /** All items, or the first `max`. */
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
