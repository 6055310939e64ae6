import { CursorKey } from './cursor.js';
import { ParsedListQuery } from './list-query.js';

/**
 * The rows that a query of a list found, as repositories and services return them; `PageInterceptor` makes the
 * response of it.
 * @example list(@ListQuery(productList) query: ListQuery): Promise<Page<Product>> { return this.products.list(query); }
 */
export interface Page<Row> {
  readonly query: ParsedListQuery;
  /** The rows of the page. If the client asked for CSV, all rows of the list, which are read while the client reads. */
  readonly rows: readonly Row[] | AsyncIterable<Row>;
  /** The number of rows in the list, from the snapshot that the rows are from. Pages by number only. */
  readonly total?: number;
  /** The keys of the last row, or `null` if no row follows. Pages by cursor only. */
  readonly next?: readonly CursorKey[] | null;
}

/** A page whose rows are in memory. */
export type LoadedPage<Row> = Page<Row> & { readonly rows: readonly Row[] };

export const isPage = (result: unknown): result is Page<object> =>
  typeof result === 'object' && result !== null && 'rows' in result && 'query' in result;

export const isAsyncIterable = <Row>(rows: object): rows is AsyncIterable<Row> =>
  Symbol.asyncIterator in rows;

/**
 * The page with each row replaced, for a service that shows something else than rows of its table. Works for exports,
 * too: there `map` is called for each row when the client reads it.
 *
 * If a response only needs more fields than a row has, use the option `map` of `@Resource()` instead.
 * @example return mapRows(await this.logins.list(query), (login) => ({ ...login, current: login.id === caller.loginId }));
 */
export function mapRows<Row, Shown>(page: Page<Row>, map: (row: Row) => Shown): Page<Shown> {
  const { rows } = page;
  return { ...page, rows: isAsyncIterable<Row>(rows) ? mapIterable(rows, map) : rows.map(map) };
}

/** A generator would not pass `return()` on before the row that it waits for is there. */
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
