import { LRUCache } from 'lru-cache';

/**
 * The memory of what is kept of an entity. Its rows and pages share it: what was used least recently goes first,
 * whichever it is. Rows have their ids as keys, pages the keys of their queries, which have blanks.
 */
export type KeptMemory = LRUCache<string, object>;

/** @param memory that is shared, or how many bytes a new one may take, about */
export const keptMemory = (memory: KeptMemory | number): KeptMemory =>
  typeof memory === 'number' ? new LRUCache({ maxSize: memory }) : memory;
