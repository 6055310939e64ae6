import { hash } from 'node:crypto';

import { Statement } from '../database/sql-executor.js';
import { RowFilter } from '../database/row-filter.js';
import { FaultCode, parameterError, faultStatus } from '../fields/faults.js';
import { integer } from '../fields/fields.js';
import { ApiError, ErrorDetail } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { truncateText } from '../http/errors/truncate-text.js';
import { CursorCodec, CursorKey } from './cursor.js';
import { valueReaderFor, FilterValue, MAX_FILTER_VALUES, ValueFault, ValueReader } from './filters.js';
import { ListDefinition, ListFilter } from './list-definition.js';
import { findNameFaults, parseQueryString } from './query-string.js';
import { RELEVANCE, SEARCH_FILTER } from './search.js';
import { parseSort, SortTerm } from './sort.js';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;
/** Far beyond any table, and still exact as an offset. */
const MAX_PAGE = 10 ** 12;
/** Leaves room for a cursor in the 8 KiB that a stock nginx takes as a request line: every page can be asked for. */
const MAX_QUERY_LENGTH = 6 * 1024;

export interface FilterCondition {
  readonly filter: ListFilter;
  /** The value; of a filter that takes any of several, those, if there is more than one. */
  readonly value: FilterValue | readonly FilterValue[];
}

/** A condition on all rows of a list, whatever is asked: the property has the value. */
export interface FixedFilter {
  readonly property: string;
  readonly value: string | number | boolean;
}

/** Where in the list a page lies: a number of pages in, or after an item (`null`: at the start). */
export type ListPosition =
  | { readonly style: 'offset'; readonly page: number }
  | { readonly style: 'cursor'; readonly after: readonly CursorKey[] | null };

export interface ParsedListQuery {
  readonly definition: ListDefinition;
  /** A digest of the list that cursors are bound to: its name, bounds, filters and sort. */
  readonly cursorScopeDigest: string;
  readonly fixedFilters: readonly FixedFilter[];
  /** In the order in which the list declares its filters. */
  readonly conditions: readonly FilterCondition[];
  readonly sort: readonly SortTerm[];
  readonly limit: number;
  readonly position: ListPosition;
  readonly scope?: RowFilter;
  /** Reads the next rows of the list, where all of it is sent, by the statement that gives all rows. */
  readonly nextRows?: (statement: Statement) => Promise<object[]>;
}

/** The rows of one page, as a repository found them. */
export interface Page<Row> {
  readonly query: ParsedListQuery;
  readonly rows: readonly Row[];
  /** How many rows the list has, seen by the same snapshot; offset pages only. */
  readonly total?: number;
  /** The keys of the last row where more follow; cursor pages only. */
  readonly next?: readonly CursorKey[] | null;
}

const readPageNumber = valueReaderFor<number>(integer({ min: 1, max: MAX_PAGE }));
const readLimit = valueReaderFor<number>(integer({ min: 1, max: Infinity }));

/** Reads the query string of a list strictly. @param fixedFilters what the list is narrowed to, and its cursors are bound to */
export function readListQuery(
  definition: ListDefinition,
  text: string,
  cursors: CursorCodec,
  fixedFilters: readonly FixedFilter[] = [],
  owner = '',
): ParsedListQuery {
  const query = parseQueryString(text);
  const { parameters } = query;
  const { filters, parameters: own, otherParameters } = definition;
  const lastOf = (name: string): string | undefined => parameters.get(name)?.at(-1);
  const known = new Set([...filters.keys(), ...own, ...(otherParameters?.names ?? [])]);
  const takes = `there are ${[...known].join(', ')}${own.includes('limit') ? '' : ': there are no pages'}`;
  const faults = findNameFaults(
    query,
    known,
    takes,
    (name) => filters.get(name)?.isAnyOf ?? otherParameters?.repeatable.has(name),
  );
  const fault = (field: string, code: FaultCode, message: string): void => {
    faults.push({ field, code, message });
  };
  function valuesOf<T>(name: string, read: ValueReader<T>, given = parameters.get(name) ?? []): T[] {
    if (given.length > MAX_FILTER_VALUES)
      fault(name, 'TOO_MANY', `got ${given.length}, takes at most ${MAX_FILTER_VALUES}`);
    return given.slice(0, MAX_FILTER_VALUES).flatMap((text) => {
      const value = read(text);
      if (!(value instanceof ValueFault)) return [value];
      fault(name, value.code, `got ${JSON.stringify(truncateText(text, 60))}, takes ${value.expected}`);
      return [];
    });
  }
  const valueOf = <T>(name: string, read: ValueReader<T>): T | undefined =>
    valuesOf(name, read, parameters.get(name)?.slice(-1))[0];

  // In the order of their declaration, and each value once: one way of writing each question.
  const conditions = [...filters.values()].flatMap((filter): FilterCondition[] => {
    const { name, read, isAnyOf } = filter;
    const values = isAnyOf ? [...new Set(valuesOf(name, read))].sort() : [valueOf(name, read)];
    const [value] = values;
    return value === undefined
      ? []
      : [{ filter, value: values.length > 1 ? (values as FilterValue[]) : value }];
  });
  for (const { filter, value } of conditions) {
    if (filter.operator !== '>=') continue;
    const upper = conditions.find(
      (other) => other.filter.operator?.startsWith('<') && other.filter.property === filter.property,
    );
    if (upper && toComparable(value) > toComparable(upper.value))
      fault(filter.name, 'TOO_LARGE', `is above ${upper.filter.name}, takes ${String(upper.value)} or less`);
  }

  const { sorts, defaultSort } = definition;
  const isSearch = definition.search !== undefined && parameters.has(SEARCH_FILTER.name);
  const sortText = lastOf('sort') ?? (isSearch ? `${RELEVANCE}:desc` : defaultSort);
  const sort = parseSort(sortText, isSearch ? [...sorts, RELEVANCE] : sorts);
  if (typeof sort === 'string') fault('sort', 'NOT_ALLOWED', sort);
  const terms = typeof sort === 'string' ? [] : sort;
  const limit = Math.min(valueOf('limit', readLimit) ?? DEFAULT_LIMIT, MAX_LIMIT);
  const page = valueOf('page', readPageNumber) ?? 1;
  const rows = [...fixedFilters, ...conditions.map(({ filter, value }) => [filter.name, value])];
  // A digest, because a cursor travels in URLs beside the values of the filters.
  const list = hash('sha256', JSON.stringify([definition.name, owner, rows, sortText]), 'base64url').slice(
    0,
    22,
  );
  const cursor = lastOf('cursor');
  if (cursor !== undefined && parameters.has('page'))
    fault('page', 'NOT_ALLOWED', 'goes with no cursor: take one of the two');
  // A cursor is only judged in a query that is sound otherwise: it is bound to filters and sort.
  const after = cursor && faults.length === 0 ? cursors.decode(cursor, list) : null;
  if (cursor && faults.length === 0 && !after)
    fault('cursor', 'NOT_ALLOWED', 'was changed, or is of another list, filter or sort');
  if (faults.length > 0) throw parameterError(faults, queryErrorFor(faults));
  const length = text.length - (cursor?.length ?? 0);
  if (own.includes('cursor') && length > MAX_QUERY_LENGTH)
    throw new ApiError(
      HttpErrors.URI_TOO_LONG,
      `Without \`cursor\`, the query of a list is at most ${MAX_QUERY_LENGTH} bytes (got ${length}).`,
    );
  const position: ListPosition =
    cursor === undefined ? { style: 'offset', page } : { style: 'cursor', after };
  return { definition, cursorScopeDigest: list, fixedFilters, conditions, sort: terms, limit, position };
}

/** A bound as a number: that of a day or a time is its moment. */
function toComparable(value: FilterCondition['value']): number {
  const number = Number(value);
  return Number.isNaN(number) ? Date.parse(String(value)) : number;
}

function queryErrorFor(faults: readonly ErrorDetail[]): ErrorType {
  const malformed = faults.filter((fault) => faultStatus(fault) === 400 || fault.code === 'NOT_ALLOWED');
  const areOf = (name: string): boolean =>
    malformed.every(({ field, code }) => field === name && code === 'NOT_ALLOWED');
  if (areOf('sort')) return HttpErrors.INVALID_SORT;
  return areOf('cursor') ? HttpErrors.INVALID_CURSOR : HttpErrors.INVALID_QUERY;
}
