import { KeptMemory, KeptRow } from './kept-memory.js';
import { idOfState, Tid } from './row-state.js';

/** Bytes of a key of the cache, its entry and what others derive from the row, without the row itself. */
const OVERHEAD = 400;

/**
 * The rows of a table that were read last. None is shown before PostgreSQL has said which state the row is in: in the
 * state of the kept row, it need not be read again.
 */
export class RowCache<Row extends object> {
  constructor(private readonly memory: KeptMemory) {}

  /** The kept row of an id, which may have changed since. */
  ofId(id: number | string): KeptRow<Row> | undefined {
    const kept = this.memory.get(String(id));
    // A text that is no id may be the key of a page.
    return kept && 'row' in kept ? (kept as KeptRow<Row>) : undefined;
  }

  /** The row that is in a state, if it is kept. */
  inState(state: string): Row | undefined {
    const kept = this.ofId(idOfState(state));
    return kept?.state === state ? kept.row : undefined;
  }

  /** @param row must never be changed from now on */
  keep(state: string, tid: Tid, row: Row): void {
    const size = sizeOfRow(row);
    sizes.set(row, size);
    this.memory.set(
      idOfState(state),
      { state, tid, row },
      { size: OVERHEAD + size.bytes + bytesOfJson(size) },
    );
  }

  /** Forgets a row that is gone; a row that has been kept under its id since then stays. */
  forget(kept: KeptRow<Row>): void {
    const id = idOfState(kept.state);
    if (this.memory.peek(id) === kept) this.memory.delete(id);
  }
}

/** How much memory something takes, about. */
interface Size {
  /** Of the values, without their JSON. */
  bytes: number;
  /** The characters of their JSON. */
  json: number;
  /** Whether any of their text is beyond Latin-1: then all of the JSON takes two bytes for each character. */
  isWide: boolean;
}

const bytesOfJson = ({ json, isWide }: Size): number => (isWide ? 2 : 1) * json;

/** The sizes of all rows that were offered to a memory. */
const sizes = new WeakMap<object, Size>();

/** Whether a row was offered to a memory: later responses will probably show it again, and nobody changes it. */
export const isKeptRow = (row: object): boolean => sizes.has(row);

/**
 * How much memory a page of rows that were kept takes, about: they, the JSON of each, and that of the page, which holds
 * theirs once more. No more work than an addition for each.
 */
export function bytesOfPage(rows: readonly object[]): number {
  const page: Size = { bytes: 0, json: 0, isWide: false };
  for (const row of rows) {
    const size = sizes.get(row);
    if (!size) continue;
    page.bytes += size.bytes + bytesOfJson(size);
    page.json += size.json;
    page.isWide ||= size.isWide;
  }
  return page.bytes + bytesOfJson(page);
}

const BEYOND_LATIN_1 = /[\u0100-\uffff]/;

const ESCAPED = /["\\\u0000-\u001f]/;

/** The characters of a text in JSON, with its quotes: a control character takes six. */
const lengthOfJson = (text: string): number =>
  ESCAPED.test(text) ? JSON.stringify(text).length : text.length + 2;

/** All rows of a table have the same names: they take memory in JSON alone. */
function sizeOfRow(row: object): Size {
  const size: Size = { bytes: 58, json: 6, isWide: false };
  for (const name in row) {
    size.json += name.length;
    size.isWide ||= BEYOND_LATIN_1.test(name);
    measure((row as Readonly<Record<string, unknown>>)[name], size);
  }
  return size;
}

/** Adds a value to a size. Of JSON, quotes, colons and commas are counted with the values. */
function measure(value: unknown, size: Size): void {
  if (typeof value === 'string') {
    const isWide = BEYOND_LATIN_1.test(value);
    size.isWide ||= isWide;
    size.bytes += (isWide ? 2 : 1) * value.length + 34;
    size.json += lengthOfJson(value) + 4;
  } else if (typeof value !== 'object' || value === null) {
    size.bytes += 14;
    size.json += 10;
  } else if (ArrayBuffer.isView(value)) size.bytes += value.byteLength + 100;
  else {
    size.bytes += 58;
    size.json += 6;
    if (Array.isArray(value)) for (const item of value) measure(item, size);
    else if (isPlain(value)) measureMembers(value, size);
  }
}

/** Clients may choose the names of members, as they do values. */
function measureMembers(value: object, size: Size): void {
  for (const name in value) {
    measure(name, size);
    measure((value as Readonly<Record<string, unknown>>)[name], size);
  }
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
