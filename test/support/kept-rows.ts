import { Statement } from '../../src/database/connection.js';
import { Database } from '../../src/database/database.js';
import { CursorCodec, CursorKey } from '../../src/lists/cursor.js';
import { ListQuery } from '../../src/lists/list-query.js';
import { readListQuery } from '../../src/lists/read-list-query.js';
import { productList } from '../../src/products/product.resource.js';

const CURSORS = new CursorCodec(['a-secret-of-the-tests-of-32-bytes-or-more']);

type Parameters = Readonly<Record<string, string | number | boolean>>;

/** A question for products. @param after the keys of the row that a page by cursor follows */
export function productsAsked(parameters: Parameters, after?: readonly CursorKey[]): ListQuery {
  const read = (cursor?: string): ListQuery => {
    const all: Parameters = cursor === undefined ? parameters : { ...parameters, cursor };
    const pairs = Object.entries(all).map(([name, value]): [string, string] => [name, String(value)]);
    return readListQuery(productList, String(new URLSearchParams(pairs)), CURSORS);
  };
  return after ? read(CURSORS.encode({ list: read('').list, keys: after })) : read();
}

/** What a statement on products reads: states of rows, whole rows, or something else. */
export function readBy({ text }: Pick<Statement, 'text'>): 'states' | 'rows' | 'other' {
  if (!text.includes('"products"') || !/^\s*select\b/.test(text)) return 'other';
  if (/string_agg\("products"\."id"/.test(text)) return 'states';
  return text.includes('"description"') ? 'rows' : 'other';
}

/** Records what the statements of a database read of products, outside transactions. */
export function recordReads(database: Database): ('states' | 'rows')[] {
  const reads: ('states' | 'rows')[] = [];
  const query = database.query.bind(database);
  database.query = (statement) => {
    const read = readBy(statement);
    if (read !== 'other') reads.push(read);
    return query(statement);
  };
  return reads;
}

/** A number below a bound, the same ones for a seed. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
