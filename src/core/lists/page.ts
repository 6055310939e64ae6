import { CursorCodec, CursorKey } from './cursor.js';
import { ListQuery } from './list-query.js';
import { queryOf, splitQuery } from './query-string.js';

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
  const { limit, list, position } = query;
  if (position.style === 'offset')
    return { page: position.page, limit, total, totalPages: Math.ceil(total / limit) };
  return { nextCursor: next ? cursors.encode(list, next) : null, hasMore: Boolean(next) };
}

/** The `Link` header of a page (RFC 8288), with the parameters of its URL but `page` and `cursor`. */
export function pageLinks(url: string, pagination: Pagination): string {
  // Encoded anew: what a URL may hold beside, such as `>`, would end the link.
  const others = new URLSearchParams([...splitQuery(queryOf(url)).parameters]);
  others.delete('page');
  others.delete('cursor');
  const base = `${url.split('?', 1)[0] as string}?${others.size > 0 ? `${others.toString()}&` : ''}`;
  const links: string[] = [];
  const link = (relation: 'first' | 'prev' | 'next' | 'last', parameter: string): void => {
    links.push(`<${base}${parameter}>; rel="${relation}"`);
  };
  if ('nextCursor' in pagination) {
    link('first', 'cursor=');
    if (pagination.nextCursor !== null) link('next', `cursor=${pagination.nextCursor}`);
  } else {
    const { page } = pagination;
    const last = Math.max(pagination.totalPages, 1);
    link('first', 'page=1');
    if (page > 1) link('prev', `page=${Math.min(page - 1, last)}`);
    if (page < last) link('next', `page=${page + 1}`);
    link('last', `page=${last}`);
  }
  return links.join(', ');
}
