import { EntityTable } from '../database/entity-table.js';
import { AddParameter, isParentCondition, limitsRows } from '../database/row-filter.js';
import { prepared, Statement } from '../database/sql-executor.js';
import { CursorKey } from './cursor.js';
import { DEFAULT_LIMIT, ParsedListQuery } from './list-query.js';
import { buildWhere, createParameters, fromWhere, ListSql, orderBy } from './list-sql.js';
import { listTotalSql } from './list-total.js';
import { SEARCH_FILTER } from './search.js';
import { searchStatementSql } from './search-statement.js';
import { buildSortKeys, SortTerm } from './sort.js';
import { cursorKeysSql, seekConditions } from './seek.js';

/** Pages up to this row are cut out of whole rows. Later pages are cut out of ids, whose rows are then looked up. */
const LAST_NEAR_ROW = 100;
/** Up to this row, one plan serves all values of a filter, because few rows precede the page. */
const LAST_ROW_OF_SHARED_PLANS = 1_000;

/**
 * The statement of a query. A page by number has its total in each row, as `listTotal`; past the end, one row has only the
 * total. A page by cursor has the keys of each row as a JSON array, `cursorKeys`, and one row more than asked for.
 */
export function listStatement(table: EntityTable, query: ParsedListQuery): Statement {
  const { values, add } = createParameters();
  const where = buildWhere(table, query, add);
  const text = selectSql(table, query, where, add);
  return isPrepared(query, where) ? prepared(text, values) : { text, values };
}

function selectSql(table: EntityTable, query: ParsedListQuery, where: ListSql, add: AddParameter): string {
  const { position, sort, conditions } = query;
  if (conditions.some(({ filter }) => filter === SEARCH_FILTER))
    return searchStatementSql(table, query, where, add);
  if (position.style === 'offset') return offsetPageSql(table, query, where, position.page, add);
  if (position.style === 'cursor') return cursorPageSql(table, query, where, position.after, add);
  return `select ${table.selectAll} ${fromWhere(table, where)} order by ${orderBy(where, sort)}`;
}

/**
 * Whether PostgreSQL keeps the statement prepared. Only as many texts are as a list declares, whatever clients send: those
 * sorted by one field and `id`, with `equals` filters of one value each, without a row filter or with that of `rows`. Ranges,
 * searches, rows far into a filtered list, and filtered rows sorted by `id`, which have no index in that order, are planned for
 * their values.
 */
function isPrepared(query: ParsedListQuery, where: ListSql): boolean {
  const { conditions, fixedFilters, sort, scope, position, limit } = query;
  const isLimited = scope !== undefined && limitsRows(scope);
  const hasValues = conditions.length > 0 || isLimited;
  const isDeclared =
    sort.length <= 2 &&
    (!isLimited || hasScopeIndex(query)) &&
    ((!hasValues && fixedFilters.length === 0) ||
      (where.equalValues !== null && sort[0]?.property !== 'id')) &&
    conditions.every(({ value }) => typeof value !== 'object');
  if (!isDeclared || position.style === 'all') return false;
  if (position.style === 'cursor') return limit === DEFAULT_LIMIT;
  return !hasValues || position.page * limit <= LAST_ROW_OF_SHARED_PLANS;
}

/**
 * Whether an index has the rows of the caller in the order of the sort, so that one plan serves all callers. It does if the
 * scope has one value for each property of a declared scope, and each filter has a total.
 */
function hasScopeIndex({ definition, scope, fixedFilters, conditions, sort }: ParsedListQuery): boolean {
  const { scopes = [], totals = [], unindexed } = definition;
  const [terms = [], ...others] = scope?.anyOf ?? [];
  const isOneValue = terms.every((term) => !isParentCondition(term) && term.ids.length === 1);
  const hasExceptions = others.length > 0 || fixedFilters.length > 0 || (scope?.except.length ?? 0) > 0;
  const isScope = (properties: readonly string[]): boolean =>
    properties.length === terms.length && terms.every(({ property }) => properties.includes(property));
  return (
    isOneValue &&
    !hasExceptions &&
    scopes.some(isScope) &&
    conditions.every(({ filter }) => totals.includes(filter.property ?? '')) &&
    !unindexed.includes(sort[0]?.property ?? '')
  );
}

function offsetPageSql(
  table: EntityTable,
  query: ParsedListQuery,
  where: ListSql,
  page: number,
  add: AddParameter,
): string {
  const { limit, sort } = query;
  const end = page * limit;
  const order = orderBy(where, sort);
  const isDistributed = query.definition.totalsByTriggers === false;
  // PostgreSQL plans a limit that is a parameter for a tenth of the table, but one in a subselect for all rows.
  const size = `(select ${add(limit, 'int')})`;
  const skipped = `(select ${add(end - limit, 'bigint')})`;
  const counted = `"counted" as materialized (select ${listTotalSql(table, query, where)} as "listTotal")`;
  const isNear = end <= LAST_NEAR_ROW;
  const isWhole = isNear && !isFiltered(query) && !isDistributed;
  // A round number, so that pages have few texts, and a literal, so that plans are made for about so many rows.
  const bound = isNear ? LAST_NEAR_ROW : roundUpToPowerOfTen(end);
  const range = `limit ${size} offset ${skipped}`;
  const ids =
    end > LAST_ROW_OF_SHARED_PLANS
      ? idsFromNearerEnd(table, query, where, { size, skipped, bound })
      : `select "id" from (${sortedIdsSql(table, where, sort, bound)}) as "sorted" ${range}`;
  const rows = isWhole
    ? `select * from (select * ${fromWhere(table, where)} order by ${order} limit ${bound}) as ${table.name} ${range}`
    : `select * ${rowsByIds(table, query, where, ids)}`;
  // Citus reads no subqueries of rows that are joined. Past the end, the statement returns no row: `readPage()` counts then.
  if (isDistributed)
    return (
      `with ${counted} select ${table.selectAll}, (select "listTotal" from "counted") as "listTotal" ` +
      `${rowsByIds(table, query, where, ids)} order by ${order}`
    );
  return (
    `with ${counted} select ${table.selectAll}, "listTotal" from "counted" ` +
    `left join (${rows}) as ${table.name} on true order by ${order}`
  );
}

/**
 * SQL of the first ids of a list in its order. If a filter has several values, PostgreSQL reads the first rows of each, since
 * it may otherwise pass over most of the table to find them in the order of the sort.
 */
function sortedIdsSql(
  table: EntityTable,
  where: ListSql,
  sort: readonly SortTerm[],
  count: number,
  seek: readonly string[] = [],
): string {
  const range = `order by ${orderBy(where, sort)} limit ${count}`;
  if (!where.eachValue || sort[0]?.property === 'id')
    return `select "id" ${fromWhere(table, where, seek)} ${range}`;
  const { values, conditions } = where.eachValue;
  const keys = buildSortKeys(where, sort);
  const columns = keys.map(({ expression }, i) => `${expression} as "key${i}"`).join(', ');
  const byKeys = keys.map(({ direction }, i) => `"key${i}" ${direction}`).join(', ');
  const first = `select "id", ${columns} ${fromWhere(table, { ...where, conditions }, seek)} ${range}`;
  return (
    `select "first"."id" from unnest(${values}) as "each" ("value") ` +
    `cross join lateral (${first}) as "first" order by ${byKeys} limit ${count}`
  );
}

/** SQL of the ids of a page far into a list. In the second half of the list, the rows behind the page are skipped instead. */
function idsFromNearerEnd(
  table: EntityTable,
  { sort }: ParsedListQuery,
  where: ListSql,
  { size, skipped, bound }: { size: string; skipped: string; bound: number },
): string {
  const total = '(select "listTotal" from "counted")';
  const isFirstHalf = `${total} > 2 * ${skipped}`;
  const ids = (order: string, condition: string, range: string): string =>
    `(select "id" from (select "id" ${fromWhere(table, where, [condition])} order by ${order} limit ${bound}) as "sorted" ${range})`;
  const reversed = `limit greatest(least(${size}, ${total} - ${skipped}), 0) offset greatest(${total} - ${skipped} - ${size}, 0)`;
  return (
    `${ids(orderBy(where, sort), isFirstHalf, `limit ${size} offset ${skipped}`)} union all ` +
    ids(orderBy(where, sort, true), `not (${isFirstHalf})`, reversed)
  );
}

/**
 * SQL of the rows of a page by their ids. For a distributed table, it repeats what the route fixes, such as the user: the
 * rows are then on one server. Otherwise this could mislead PostgreSQL to read all rows of the user.
 */
function rowsByIds(table: EntityTable, query: ParsedListQuery, where: ListSql, ids: string): string {
  const { definition, fixedFilters } = query;
  const fixed = definition.totalsByTriggers === false ? where.conditions.slice(0, fixedFilters.length) : [];
  return `from ${table.name} where ${[`"id" = any(array(${ids}))`, ...fixed].join(' and ')}`;
}

/** The statement of the total only. */
export function totalStatement(table: EntityTable, query: ParsedListQuery): Statement {
  const { values, add } = createParameters();
  const where = buildWhere(table, query, add);
  return { text: `select ${listTotalSql(table, query, where)} as "listTotal"`, values };
}

/**
 * Whether rows are found by the ids of the page, which PostgreSQL reads from an index alone: rows that filters pass over,
 * and rows before the page, are not read from the table.
 */
const isFiltered = ({ conditions }: ParsedListQuery): boolean => conditions.length > 0;

const roundUpToPowerOfTen = (value: number): number => 10 ** String(value - 1).length;

/** @param after the keys of the row that the page follows; `null` for the first page */
function cursorPageSql(
  table: EntityTable,
  query: ParsedListQuery,
  where: ListSql,
  after: readonly CursorKey[] | null,
  add: AddParameter,
): string {
  const { sort, limit } = query;
  const seek = seekConditions(where, sort, after, add);
  const order = `order by ${orderBy(where, sort)}`;
  const rows = isFiltered(query)
    ? `${rowsByIds(table, query, where, sortedIdsSql(table, where, sort, limit + 1, seek))} ${order}`
    : `${fromWhere(table, where, seek)} ${order} limit ${limit + 1}`;
  return `select ${table.selectAll}, ${cursorKeysSql(where, sort)} ${rows}`;
}
