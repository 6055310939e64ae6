import { hash } from 'node:crypto';

import type { AccessScope } from '../access/access-scope.js';
import { RowFilter } from '../database/row-filter.js';
import { parameterError, faultStatus } from '../fields/faults.js';
import { integer } from '../fields/fields.js';
import { ApiError, ErrorDetail } from '../http/errors/api-error.js';
import { ErrorType } from '../http/errors/define-errors.js';
import { HttpErrors } from '../http/errors/http.errors.js';
import { CursorCodec, CursorKey } from './cursor.js';
import { valueReaderFor, FilterValue, isRepeatableFilter } from './filters.js';
import { ListDefinition, ListFilter } from './list-definition.js';
import { QueryParameters } from './query-parameters.js';
import { findNameFaults, parseQueryString } from './query-string.js';
import { RELEVANCE, SEARCH_FILTER } from './search.js';
import { parseSort, SortTerm } from './sort.js';

/** The number of rows on a page if the client sends no `limit`. */
export const DEFAULT_LIMIT = 20;
/** The largest number of rows on a page. A larger `limit` is reduced to it. */
export const MAX_LIMIT = 100;
/**
 * The highest page number that is accepted. No table has so many pages, and the offset of this page is still an exact
 * number.
 */
const MAX_PAGE = 10 ** 12;
/**
 * The maximum length of a query in bytes. By default, nginx accepts a request line of 8 KiB, in which this leaves room
 * for a cursor.
 */
const MAX_QUERY_LENGTH = 6 * 1024;

/** A filter with the value that the client sent. */
export interface FilterCondition {
  readonly filter: ListFilter;
  /** The value, or an array if the client sent several values or the filter has `isAllOf`. */
  readonly value: FilterValue | readonly FilterValue[];
}

/**
 * A condition that the route sets, and that clients cannot change: in every row of the list, the property has this
 * value.
 */
export interface FixedFilter {
  readonly property: string;
  readonly value: string | number | boolean;
}

/**
 * The part of the list that the client requests: a page by its number, the page after a row, or all rows. For the first
 * page by cursor, `after` is `null`.
 */
export type ListPosition =
  | { readonly style: 'offset'; readonly page: number }
  | { readonly style: 'cursor'; readonly after: readonly CursorKey[] | null }
  | { readonly style: 'all' };

/** A validated query of a list. It contains everything that a repository needs from the request. */
export interface ParsedListQuery {
  readonly definition: ListDefinition;
  /**
   * A digest of the list's name, owner, filters and sort. A cursor is valid only for queries with the digest of the
   * query that created it.
   */
  readonly cursorScopeDigest: string;
  readonly fixedFilters: readonly FixedFilter[];
  /** In the order in which the list declares its filters. */
  readonly conditions: readonly FilterCondition[];
  readonly sort: readonly SortTerm[];
  /** The largest number of rows on a page. */
  readonly limit: number;
  readonly position: ListPosition;
  /** The rows that the caller may see. If it is missing, the caller may see all rows. */
  readonly scope?: RowFilter & Partial<AccessScope>;
}

const readPageNumber = valueReaderFor<number>(integer({ min: 1, max: MAX_PAGE }));
const readLimit = valueReaderFor<number>(integer({ min: 1, max: Infinity }));

/**
 * Reads the query string of a list strictly.
 * @param text the query string, without `?`
 * @param fixedFilters the conditions that the route sets. A cursor is valid only if they are the same
 * @param owner the owner whose rows the caller may see, if the caller may see only the rows of one owner. A cursor is
 *   valid only for the same owner
 * @throws ApiError 400 or 422 with all faults of the query: `INVALID_QUERY`, `INVALID_SORT`, `INVALID_CURSOR` or
 *   `UNPROCESSABLE_ENTITY`
 * @throws ApiError 414 if the query leaves no room for a cursor
 */
export function readListQuery(
  definition: ListDefinition,
  text: string,
  cursors: CursorCodec,
  fixedFilters: readonly FixedFilter[] = [],
  owner = '',
): ParsedListQuery {
  const parameters = readParameters(definition, text);
  const conditions = readConditions(definition, parameters);
  const { sort, sortText } = readSort(definition, parameters);
  const limit = Math.min(parameters.read('limit', readLimit) ?? DEFAULT_LIMIT, MAX_LIMIT);
  const rows = [...fixedFilters, ...conditions.map(({ filter, value }) => [filter.name, value])];
  const listKey = JSON.stringify([definition.name, owner, rows, sortText]);
  // The digest is short, because the cursor contains it, and is sent in URLs together with the filters.
  const cursorScopeDigest = hash('sha256', listKey, 'base64url').slice(0, 22);
  const position = readPosition(parameters, (cursor) => cursors.decode(cursor, cursorScopeDigest));
  const { faults } = parameters;
  if (faults.length > 0) throw parameterError(faults, chooseError(faults));
  assertRoomForCursor(definition, text, parameters.text('cursor'));
  return { definition, cursorScopeDigest, fixedFilters, conditions, sort, limit, position };
}

function readParameters(definition: ListDefinition, text: string): QueryParameters {
  const { filters, parameters: own, otherParameters } = definition;
  const query = parseQueryString(text);
  const names = new Set([...filters.keys(), ...own, ...(otherParameters?.names ?? [])]);
  const isRepeatable = (name: string): boolean =>
    isRepeatableFilter(filters.get(name)) || otherParameters?.repeatable.has(name) === true;
  const withoutPages = own.includes('limit') ? '' : '; this response has no pages';
  const allowed = `the parameters are ${[...names].join(', ')}${withoutPages}`;
  return new QueryParameters(query.parameters, findNameFaults(query, names, allowed, isRepeatable));
}

/**
 * Returns the filters that the client uses, in the order of their declaration. The values of a filter are sorted, and
 * repeated values are removed, so that queries with the same meaning have the same cursors and statements.
 */
function readConditions({ filters }: ListDefinition, parameters: QueryParameters): FilterCondition[] {
  const conditions: FilterCondition[] = [];
  for (const filter of filters.values()) {
    const { name, read, isAllOf } = filter;
    const values = isRepeatableFilter(filter)
      ? [...new Set(parameters.readAll(name, read))].sort()
      : [parameters.read(name, read)];
    const [value] = values;
    if (value !== undefined)
      conditions.push({ filter, value: isAllOf || values.length > 1 ? (values as FilterValue[]) : value });
  }
  for (const { filter, value } of conditions) {
    const upper = filter.operator === '>=' && findUpperBound(filter, conditions);
    if (upper && toComparable(value) > toComparable(upper.value)) {
      const message = `must be at most ${String(upper.value)}, the value of ${upper.filter.name}`;
      parameters.addFault(filter.name, 'TOO_LARGE', message);
    }
  }
  return conditions;
}

const findUpperBound = (
  { property }: ListFilter,
  conditions: readonly FilterCondition[],
): FilterCondition | undefined =>
  conditions.find(({ filter }) => filter.operator?.startsWith('<') && filter.property === property);

/** Returns a bound as a number. For a day or a time, these are the epoch milliseconds. */
function toComparable(value: FilterCondition['value']): number {
  const number = Number(value);
  return Number.isNaN(number) ? Date.parse(String(value)) : number;
}

/**
 * Returns the sort that the client sent. If the client sent no sort, a search is sorted by relevance, and any other
 * list by its `defaultSort`.
 */
function readSort(
  { sorts, defaultSort, search }: ListDefinition,
  parameters: QueryParameters,
): { readonly sort: readonly SortTerm[]; readonly sortText: string } {
  const isSearch = search !== undefined && parameters.has(SEARCH_FILTER.name);
  const sortText = parameters.text('sort') ?? (isSearch ? `${RELEVANCE}:desc` : defaultSort);
  const sort = parseSort(sortText, isSearch ? [...sorts, RELEVANCE] : sorts);
  if (typeof sort !== 'string') return { sort, sortText };
  parameters.addFault('sort', 'NOT_ALLOWED', sort);
  return { sort: [], sortText };
}

function readPosition(
  parameters: QueryParameters,
  decode: (cursor: string) => readonly CursorKey[] | null,
): ListPosition {
  const page = parameters.read('page', readPageNumber) ?? 1;
  const cursor = parameters.text('cursor');
  if (cursor === undefined) return { style: 'offset', page };
  if (parameters.has('page')) parameters.addFault('page', 'NOT_ALLOWED', 'cannot be combined with `cursor`');
  // A cursor is valid only with its filters and sort. If these parameters are faulty, the cursor cannot be checked.
  const after = cursor && parameters.faults.length === 0 ? decode(cursor) : null;
  if (cursor && parameters.faults.length === 0 && !after)
    parameters.addFault('cursor', 'NOT_ALLOWED', INVALID_CURSOR_MESSAGE);
  return { style: 'cursor', after };
}

export const INVALID_CURSOR_MESSAGE = 'must be a cursor of this list, with the same filters and sort';

function assertRoomForCursor({ parameters }: ListDefinition, text: string, cursor = ''): void {
  const length = text.length - cursor.length;
  if (parameters.includes('cursor') && length > MAX_QUERY_LENGTH)
    throw new ApiError(
      HttpErrors.URI_TOO_LONG,
      `The query of a list, without \`cursor\`, must be at most ${MAX_QUERY_LENGTH} bytes (got ${length}).`,
    );
}

/**
 * Returns `INVALID_SORT` or `INVALID_CURSOR` if the sort or the cursor is the only malformed parameter, or else
 * `INVALID_QUERY`.
 */
function chooseError(faults: readonly ErrorDetail[]): ErrorType {
  const malformed = faults.filter((fault) => faultStatus(fault) === 400 || fault.code === 'NOT_ALLOWED');
  const areAllOf = (name: string): boolean =>
    malformed.every(({ field, code }) => field === name && code === 'NOT_ALLOWED');
  if (areAllOf('sort')) return HttpErrors.INVALID_SORT;
  return areAllOf('cursor') ? HttpErrors.INVALID_CURSOR : HttpErrors.INVALID_QUERY;
}
