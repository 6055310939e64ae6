import { CursorCodec, CursorKey } from './cursor.js';
import { ListQuery } from './list-query.js';

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
