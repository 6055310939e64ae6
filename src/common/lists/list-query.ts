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
}
