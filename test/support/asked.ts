import { CursorCodec, CursorKey } from '../../packages/core/src/lists/cursor.js';
import { ListQuery, readListQuery } from '../../packages/core/src/lists/list-query.js';
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
  return after ? read(CURSORS.encode(read('').list, after)) : read();
}
