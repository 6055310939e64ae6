import { LRUCache } from 'lru-cache';

import { idOfState, Tid } from './row-state.js';

/** A row that is kept, and its state. */
export interface KeptRow<Row extends object> {
  /** The state of the row when it was read: see `RowState`. */
  readonly state: string;
  /** The place of the row then. */
  readonly tid: Tid;
  /** Frozen: see `freeze`. */
  readonly row: Row;
}

/** Bytes of a key of the cache, its entry and what others derive from the row, without the row itself. */
const OVERHEAD = 400;

/**
 * The rows of a table that were read last. None is shown before PostgreSQL has said which state the row is in: in the
 * state of the kept row, it need not be read again.
 */
export class RowCache<Row extends object> {
  private readonly rows: LRUCache<string, KeptRow<Row>>;

  /** @param maxBytes how much memory its rows may take, about */
  constructor(maxBytes: number) {
    this.rows = new LRUCache({ maxSize: maxBytes });
  }

  /** How much memory its rows take, about. */
  get bytes(): number {
    return this.rows.calculatedSize;
  }

  /** The kept row of an id, which may have changed since. */
  ofId(id: number | string): KeptRow<Row> | undefined {
    return this.rows.get(String(id));
  }

  /** The row that is in a state, if it is kept. */
  inState(state: string): Row | undefined {
    const kept = this.rows.get(idOfState(state));
    return kept?.state === state ? kept.row : undefined;
  }

  /** @param row must never be changed from now on */
  keep(state: string, tid: Tid, row: Row): void {
    const bytes = sizeOf(row);
    bytesOfKept.set(row, bytes);
    this.rows.set(idOfState(state), { state, tid, row }, { size: OVERHEAD + bytes });
  }

  /** Forgets a row that is gone; a row that has been kept under its id since then stays. */
  forget(kept: KeptRow<Row>): void {
    const id = idOfState(kept.state);
    if (this.rows.peek(id) === kept) this.rows.delete(id);
  }
}

/** How much memory each row that was ever kept takes with its JSON, about. */
const bytesOfKept = new WeakMap<object, number>();

/** Whether a row was ever kept: later responses will probably show it again, and nobody changes it. */
export const isKeptRow = (row: object): boolean => bytesOfKept.has(row);

/** How much memory rows that were kept take with the JSON of each, about; no more than an addition for each. */
export function bytesOfRows(rows: readonly object[]): number {
  let bytes = 0;
  for (const row of rows) bytes += bytesOfKept.get(row) ?? 0;
  return bytes;
}

const BEYOND_LATIN_1 = /[\u0100-\uffff]/;

/** About how many bytes of memory a value and its JSON take. */
function sizeOf(value: unknown): number {
  // Text and JSON take a byte for each character each, or two if any character is beyond Latin-1.
  if (typeof value === 'string') return (BEYOND_LATIN_1.test(value) ? 4 : 2) * value.length + 40;
  if (typeof value !== 'object' || value === null) return 24;
  if (ArrayBuffer.isView(value)) return value.byteLength + 100;
  let size = 64;
  if (!isPlain(value)) return size;
  for (const name in value) size += sizeOf((value as Readonly<Record<string, unknown>>)[name]) + name.length;
  return size;
}

/**
 * Freezes a value and the arrays and plain objects in it. Instances of other classes stay as they are: bytes cannot be
 * frozen, and a class may change its own state, or share it with the whole program.
 */
export function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || !isPlain(value) || Object.isFrozen(value)) return value;
  for (const name in value) freeze(value[name]);
  return Object.freeze(value);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}
