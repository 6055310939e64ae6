import { LRUCache } from 'lru-cache';

/**
 * The memory of what is kept of an entity. Its rows and pages share it: what was used least recently goes first,
 * whichever it is. Rows have their ids as keys, pages the keys of their queries, which have blanks.
 */
export type KeptMemory = LRUCache<string, object>;

/** @param maxBytes that it may take, about */
export const keptMemory = (maxBytes: number): KeptMemory => new LRUCache({ maxSize: maxBytes });
