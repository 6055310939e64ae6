import { CursorCodec, CursorKey } from './cursor.js';
import { ListQuery, Position } from './list-query.js';
import { splitQuery } from './query-string.js';

declare module 'fastify' {
  interface FastifyInstance {
    cursors: CursorCodec;
  }
}

/** The rows of one page, as a repository found them. */
export interface Page<Row> {
  readonly query: ListQuery;
  readonly rows: readonly Row[];
  /** How many rows the list has, seen by the same snapshot; offset pages only. */
  readonly total?: number;
  /** The keys of the last row where more follow; cursor pages only. */
  readonly next?: readonly CursorKey[] | null;
}

/** The member `pagination` of a page, by style. */
export type Pagination =
  | { page: number; limit: number; total: number; totalPages: number }
  | { nextCursor: string | null; hasMore: boolean };

export function paginationOf({ query, total = 0, next }: Page<unknown>, cursors: CursorCodec): Pagination {
  if (query.position.style === 'cursor') {
    return {
      nextCursor: next ? cursors.encode({ list: query.list, keys: next }) : null,
      hasMore: Boolean(next),
    };
  }
  const { limit } = query;
  return { page: query.position.page, limit, total, totalPages: Math.ceil(total / limit) };
}

type Relation = 'first' | 'prev' | 'next' | 'last';

/**
 * The `Link` header of a page (RFC 8288): where the first, previous, next and last page are, as far as known.
 *
 * @param url of the request: its path, and its parameters as they were written, but for `page` and `cursor`
 * @param totalPages of an offset page; at least 1 is taken
 * @param nextCursor of a cursor page
 */
export function pageLinks(
  url: string,
  position: Position,
  { totalPages, nextCursor }: { totalPages?: number; nextCursor?: string | null },
): string {
  const base = baseOf(url);
  const link = (relation: Relation, parameter: string): string => `<${base}${parameter}>; rel="${relation}"`;
  if (position.style === 'cursor') {
    const first = link('first', 'cursor=');
    return nextCursor ? `${first}, ${link('next', `cursor=${nextCursor}`)}` : first;
  }
  const { page } = position;
  const last = Math.max(totalPages ?? 1, 1);
  const links = [link('first', 'page=1')];
  if (page > 1) links.push(link('prev', `page=${Math.min(page - 1, last)}`));
  if (page < last) links.push(link('next', `page=${page + 1}`));
  links.push(link('last', `page=${last}`));
  return links.join(', ');
}

/** The URL of a list up to where the parameter of a page follows. */
function baseOf(url: string): string {
  const start = url.indexOf('?');
  if (start < 0) return `${url}?`;
  return `${url.slice(0, start)}?${encode(url.slice(start + 1))}`;
}

/**
 * The other parameters of a query string, encoded anew: what a URL may hold beside, such as `>`, would end the link.
 */
function encode(query: string): string {
  const others = [...splitQuery(query).parameters].filter(([name]) => name !== 'page' && name !== 'cursor');
  return others.length > 0 ? `${new URLSearchParams(others).toString()}&` : '';
}
