import { CursorKey } from './cursor.js';
import { ParsedListQuery } from './list-query.js';

/**
 * The rows that a query of a list has found. Repositories and services return it, and `PageInterceptor` turns it into
 * the response.
 * @example list(@ListQuery(productList) query: ListQuery): Promise<Page<Product>> { return this.products.list(query); }
 */
export interface Page<Row> {
  readonly query: ParsedListQuery;
  /**
   * The rows of the page. For CSV, an `AsyncIterable` of all rows of the list, which are read as fast as the client
   * reads them.
   */
  readonly rows: readonly Row[] | AsyncIterable<Row>;
  /** The number of rows in the list, from the same snapshot as the rows. Only pages by number have it. */
  readonly total?: number;
  /** The keys of the last row, or `null` if no row follows. Only pages by cursor have it. */
  readonly next?: readonly CursorKey[] | null;
}

/** A page whose rows are in memory. */
export type LoadedPage<Row> = Page<Row> & { readonly rows: readonly Row[] };

export const isPage = (result: unknown): result is Page<object> =>
  typeof result === 'object' && result !== null && 'rows' in result && 'query' in result;

export const isAsyncIterable = <Row>(rows: object): rows is AsyncIterable<Row> =>
  Symbol.asyncIterator in rows;

/**
 * Returns a page in which `map` has replaced each row. Use it in a service that does not return the rows of its table
 * as they are. In an export, `map` is called for each row when the client reads the row.
 *
 * Do not use it only to add fields that are computed from the row. Use the option `map` of `@Resource()` for that.
 * @example return mapRows(await this.logins.list(query), (login) => ({ ...login, current: login.id === caller.loginId }));
 */
export function mapRows<Row, Shown>(page: Page<Row>, map: (row: Row) => Shown): Page<Shown> {
  const { rows } = page;
  return { ...page, rows: isAsyncIterable<Row>(rows) ? mapIterable(rows, map) : rows.map(map) };
}

/**
 * This is not an async generator. While a generator waits for a row, it does not pass on `return()`, which must end the
 * cursor at once.
 */
function mapIterable<Row, Shown>(source: AsyncIterable<Row>, map: (row: Row) => Shown): AsyncIterable<Shown> {
  return {
    [Symbol.asyncIterator]() {
      const rows = source[Symbol.asyncIterator]();
      return {
        async next() {
          const result = await rows.next();
          return result.done ? { done: true, value: undefined } : { done: false, value: map(result.value) };
        },
        async return() {
          await rows.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
