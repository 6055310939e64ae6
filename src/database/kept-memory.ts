import { LRUCache } from 'lru-cache';

import { Tid } from './row-state.js';

/** A row that is kept, and its state. */
export interface KeptRow<Row extends object> {
  /** The state of the row when it was read: see `RowState`. */
  readonly state: string;
  /** The place of the row then. */
  readonly tid: Tid;
  /** Frozen: see `freeze`. */
  readonly row: Row;
}

/** A page that was made of rows in certain states. */
export interface KeptPage<Page> {
  /** The total, if the page shows one, and the states of its rows, as one text. */
  readonly madeOf: string;
  readonly page: Page;
}

/**
 * The memory of what is kept of an entity. Its rows and pages share it: what was used least recently goes first,
 * whichever it is. Rows have their ids as keys, pages the keys of their queries, which have blanks.
 */
export type KeptMemory = LRUCache<string, KeptRow<object> | KeptPage<unknown>>;

/**
 * A memory of about so many bytes. A row or page that is larger than half of it is not kept, as it would drop most of
 * the others; what it would have replaced goes all the same.
 */
export const newKeptMemory = (bytes: number): KeptMemory =>
  new LRUCache({ maxSize: bytes, maxEntrySize: Math.ceil(bytes / 2) });
