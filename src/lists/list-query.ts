import { RowScope } from '../database/row-scope.js';
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
  /** What of the list the caller may see; left out: all of it. */
  readonly scope?: RowScope;
}

/**
 * The same list, of the rows in a scope only. Its cursors stay good when the scope changes.
 *
 * @param scopeKey equal for equal scopes
 */
export function scoped(query: ListQuery, scope: RowScope, scopeKey: string): ListQuery {
  return { ...query, key: `${scopeKey}/${query.key}`, scope };
}

/** Whether a list shows but some of its rows: those that grants open, or the caller's own. */
export const isNarrowed = ({ scope }: ListQuery): boolean => scope !== undefined && scope.anyOf !== null;

/** Whether there is any row at all where a query looks for some: the first of those with these values. */
export function anyWith(query: ListQuery, values: Readonly<Record<string, FilterValue>>): ListQuery {
  const conditions = Object.entries(values).map(
    ([property, value]) => ({ property, operator: '=', value }) as const,
  );
  const position = { style: 'cursor', after: null } as const;
  return {
    ...query,
    key: `any ${JSON.stringify(values)} of ${query.key}`,
    conditions,
    position,
    limit: 1,
  };
}
