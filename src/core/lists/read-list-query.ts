import { Fault, FaultCode, faultError, shortened, statusOf } from '../fields/faults.js';
import { integer } from '../fields/kinds.js';
import { ErrorType } from '../http/errors/catalogue.js';
import {
  INVALID_CURSOR,
  INVALID_QUERY,
  INVALID_SORT,
  UNPROCESSABLE_ENTITY,
} from '../http/errors/http.errors.js';
import { CursorCodec } from './cursor.js';
import { FilterValue } from './filters.js';
import { byRules, compareSigned, ValueFault, ValueReader } from './kind-reader.js';
import { ListDefinition } from './list-definition.js';
import { Condition, DEFAULT_LIMIT, ListQuery, MAX_LIMIT, Narrowing, Position } from './list-query.js';
import { faultsOfNames, splitQuery } from './query-string.js';
import { formatSort, parseSort, SortFault, SortTerm } from './sort.js';

/** Far beyond any table, and still exact as an offset. */
const MAX_PAGE = 10 ** 12;
/** The parameters of every list. */
export const OWN_PARAMETERS: readonly string[] = ['sort', 'page', 'limit', 'cursor'];

const readPage = byRules(integer({ min: 1, max: MAX_PAGE }));
const readLimit = byRules(integer({ min: 1, max: Infinity }));

/**
 * Reads the query string of a list strictly, all faults at once.
 *
 * @param text without its `?`
 * @param within what the list is narrowed to beforehand: cursors are bound to it
 * @param owner whose rows are listed, where that is the caller: cursors are bound to them
 * @param offered the list with the filters that the route offers; left out: all of them
 * @throws ApiError `INVALID_QUERY`, `INVALID_SORT`, `INVALID_CURSOR` (400), `UNPROCESSABLE_ENTITY` (422)
 */
export function readListQuery(
  definition: ListDefinition,
  text: string,
  cursors: CursorCodec,
  within: readonly Narrowing[] = [],
  owner = '',
  offered = definition,
): ListQuery {
  const query = new QueryReader(offered, text, definition);
  const conditions = query.conditions();
  const sort = query.sort();
  const limit = Math.min(query.value('limit', readLimit) ?? DEFAULT_LIMIT, MAX_LIMIT);
  const rows = JSON.stringify([...within, ...conditions]);
  const list = `${definition.name}${owner && ` of ${owner}`}?${rows}&${formatSort(sort)}`;
  const position = query.position((cursor) => cursors.decode(cursor, list, sort));
  query.throwFaults();
  return { definition, list, within, conditions, sort, limit, position };
}

/** Compares numbers in decimal, as they are written; days and times as text, which is in their order. */
function isAbove(least: FilterValue, most: FilterValue): boolean {
  const [one, other] = [String(least), String(most)];
  return /^-?[\d.]+$/.test(one) ? compareSigned(one, other) > 0 : one > other;
}

/** Reads one query string: what it holds, and what is wrong with it. */
class QueryReader {
  private readonly faults: Fault[];
  private readonly parameters: ReadonlyMap<string, string>;

  constructor(
    private readonly definition: ListDefinition,
    text: string,
    whole: ListDefinition,
  ) {
    const query = splitQuery(text);
    this.parameters = query.parameters;
    const known = new Set([...definition.filters.keys(), ...OWN_PARAMETERS]);
    this.faults = faultsOfNames(query, known, (name) => {
      const what = whole.filters.has(name) ? 'is given by the path' : 'is unknown';
      return `${what}; there are ${[...known].join(', ')}`;
    });
  }

  /** The value of a parameter; `undefined` where it is not there or faulty. */
  value<T>(name: string, read: ValueReader<T>): T | undefined {
    const text = this.parameters.get(name);
    if (text === undefined) return undefined;
    const value = read(text);
    if (!(value instanceof ValueFault)) return value;
    this.fault(name, value.code, `got ${JSON.stringify(shortened(text, 60))}, takes ${value.takes}`);
    return undefined;
  }

  /** The filters that are asked for, in the order of their declaration: one way of writing each question. */
  conditions(): Condition[] {
    const values = new Map<string, FilterValue>();
    for (const { name, read } of this.definition.filters.values()) {
      const value = this.value(name, read);
      if (value !== undefined) values.set(name, value);
    }
    for (const [lower, upper] of this.definition.ranges) {
      const [least, most] = [values.get(lower), values.get(upper)];
      if (least === undefined || most === undefined || !isAbove(least, most)) continue;
      this.fault(lower, 'TOO_LARGE', `is above ${upper}, takes ${String(most)} or less`);
    }
    return [...values].map(([filter, value]) => ({ filter, value }));
  }

  sort(): readonly SortTerm[] {
    const { sorts, defaultSort } = this.definition;
    const sort = parseSort(this.parameters.get('sort') ?? defaultSort, sorts);
    if (!(sort instanceof SortFault)) return sort;
    this.fault('sort', 'NOT_ALLOWED', sort.message);
    return parseSort(defaultSort, sorts) as readonly SortTerm[];
  }

  position(decode: (cursor: string) => readonly (string | number | null)[] | null): Position {
    const cursor = this.parameters.get('cursor');
    const page = this.value('page', readPage) ?? 1;
    if (cursor === undefined) return { style: 'offset', page };
    if (this.parameters.has('page'))
      this.fault('page', 'NOT_ALLOWED', 'goes with no cursor: take one of the two');
    // A cursor is only judged in a query that is sound otherwise: it is bound to filters and sort.
    if (cursor === '' || this.faults.length > 0) return { style: 'cursor', after: null };
    const after = decode(cursor);
    if (!after) this.fault('cursor', 'NOT_ALLOWED', 'was changed, or is of another list, filter or sort');
    return { style: 'cursor', after };
  }

  throwFaults(): void {
    if (this.faults.length === 0) return;
    const malformed = this.faults.filter(isMalformed);
    const others = this.faults.filter((fault) => !isMalformed(fault));
    throw faultError(errorTypeOf(malformed), [...malformed, ...others]);
  }

  private fault(field: string, code: FaultCode, message: string): void {
    this.faults.push({ field, code, message });
  }
}

/** Whether a fault makes the query a bad one (400), not only what it asks for (422). */
const isMalformed = (fault: Fault): boolean =>
  statusOf(fault) === 400 || ['sort', 'cursor'].includes(fault.field) || fault.code === 'NOT_ALLOWED';

function errorTypeOf(malformed: readonly Fault[]): ErrorType {
  if (malformed.length === 0) return UNPROCESSABLE_ENTITY;
  const areOf = (name: string): boolean =>
    malformed.every(({ field, code }) => field === name && code !== 'REPEATED');
  if (areOf('sort')) return INVALID_SORT;
  return areOf('cursor') ? INVALID_CURSOR : INVALID_QUERY;
}
