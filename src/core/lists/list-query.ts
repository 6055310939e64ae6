import { RowScope } from '../database/row-scope.js';
import { CursorKey } from './cursor.js';
import { FilterValue } from './filters.js';
import { ListDefinition } from './list-definition.js';
import { SortTerm } from './sort.js';

/** Items of a page, unless the query says otherwise. */
export const DEFAULT_LIMIT = 20;
/** More is taken as this. */
export const MAX_LIMIT = 100;

/** A filter that is asked for. */
export interface Condition {
  /** By name. */
  readonly filter: string;
  readonly value: FilterValue;
}

/** A condition on all rows of a list, whatever is asked: the property has the value. */
export interface Narrowing {
  readonly property: string;
  readonly value: string | number | boolean;
}

/** Where in the list a page lies: a number of pages in, or after an item (`null`: at the start). */
export type Position =
  | { readonly style: 'offset'; readonly page: number }
  | { readonly style: 'cursor'; readonly after: readonly CursorKey[] | null };

/** A list as it was asked for, read and checked. */
export interface ListQuery {
  readonly definition: ListDefinition;
  /** The list that cursors are bound to: its name, filters and sort. */
  readonly list: string;
  readonly within: readonly Narrowing[];
  /** In the order in which the list declares its filters. */
  readonly conditions: readonly Condition[];
  /** Ends in `id`. */
  readonly sort: readonly SortTerm[];
  /** From 1 to 100. */
  readonly limit: number;
  readonly position: Position;
  /** The rows that the caller may see; left out: all of them. */
  readonly scope?: RowScope;
}

/** Whether a list shows but some of its rows: those that grants open, or the caller's own. */
export const isNarrowed = ({ scope }: ListQuery): boolean => scope !== undefined && scope.anyOf !== null;

/** The first row of a list, whatever its query filters by. */
export function firstOf(query: ListQuery): ListQuery {
  const position = { style: 'cursor', after: null } as const;
  return { ...query, conditions: [], position, limit: 1 };
}
