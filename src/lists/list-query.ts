import { CursorKey } from './cursor.js';
import { Filter, FilterValue } from './list-definition.js';
import { SortTerm } from './sort.js';

/** One narrowing of a list. */
export interface Condition {
  readonly property: string;
  readonly operator: Filter['operator'];
  readonly value: FilterValue;
}

/** Where in the list a page lies: a number of pages in, or after an item (`null`: at the start). */
export type Position =
  | { readonly style: 'offset'; readonly page: number }
  | { readonly style: 'cursor'; readonly after: readonly CursorKey[] | null };

/** A list as it was asked for, read and checked. Frozen: one is shared by all requests that ask alike. */
export interface ListQuery {
  /** Equal for queries that ask for the same rows. */
  readonly key: string;
  /** What cursors of this list are bound to: its name, filters and sort. */
  readonly list: string;
  readonly conditions: readonly Condition[];
  /** Ends in `id`. */
  readonly sort: readonly SortTerm[];
  /** From 1 to 100. */
  readonly limit: number;
  readonly position: Position;
  /** The query string without `page` and `cursor`, for links. */
  readonly rest: string;
  /** What of the list the caller may see; left out: all of it. */
  readonly scope?: ListScope;
}

/** Rows that have one of some ids in a property. */
export interface ScopedIds {
  readonly property: string;
  readonly ids: readonly number[];
}

/** Which rows a caller may see. */
export interface ListScope {
  /** None of these. */
  readonly except: readonly ScopedIds[];
  /** And only what is in any of these; `null`: all others. */
  readonly only: readonly ScopedIds[] | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The rows that the caller may read, where the path does not tell which they are; `undefined`: all. */
    readScope: (ListScope & { mustShow(row: object): void }) | undefined;
  }
}

/** The same list, of what the caller may see only. Its cursors stay good when that changes. */
export function scoped(query: ListQuery, { except, only }: ListScope): ListQuery {
  const scope = { except, only };
  return { ...query, key: `${JSON.stringify(scope)}/${query.key}`, scope };
}

/** Whether a row is in a scope. */
export function isInScope({ except, only }: ListScope, row: object): boolean {
  const isAmong = ({ property, ids }: ScopedIds): boolean =>
    ids.includes((row as Record<string, unknown>)[property] as number);
  return !except.some(isAmong) && (only === null || only.some(isAmong));
}
