import { EntityTable } from '../database/entity-table.js';
import { AddParameter } from '../database/row-filter.js';
import { prepared, Statement } from '../database/sql-executor.js';
import { CursorKey } from './cursor.js';
import { DEFAULT_LIMIT, ParsedListQuery } from './list-query.js';
import { buildWhere, createParameters, fromWhere, ListSql, orderBy } from './list-sql.js';
import { listTotalSql } from './list-total.js';
import { SEARCH_FILTER } from './search.js';
import { buildSortKeys, SortKey } from './sort.js';

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
  const { position, sort } = query;
  if (position.style === 'offset') return offsetPageSql(table, query, where, position.page, add);
  if (position.style === 'cursor') return cursorPageSql(table, query, where, position.after, add);
  return `select ${table.selectAll} ${fromWhere(table, where)} order by ${orderBy(where, sort)}`;
}

/**
 * Whether PostgreSQL keeps the statement prepared. The number of prepared texts depends only on what a list declares, not
 * on what clients send: they have one sort field and `id`, one filter or several `equals`, one value each, and no row
 * filter. Searches, and pages far into a filtered list, are planned for their values.
 */
function isPrepared({ conditions, sort, scope, position, limit }: ParsedListQuery, where: ListSql): boolean {
  const isDeclared =
    sort.length <= 2 &&
    !scope &&
    (conditions.length <= 1 || where.equalValues !== null) &&
    conditions.every(({ filter, value }) => typeof value !== 'object' && filter !== SEARCH_FILTER);
  if (!isDeclared || position.style === 'all') return false;
  if (position.style === 'cursor') return limit === DEFAULT_LIMIT;
  return conditions.length === 0 || position.page * limit <= LAST_ROW_OF_SHARED_PLANS;
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
  // PostgreSQL plans a limit that is a parameter for a tenth of the table, but one in a subselect for all rows.
  const range = `limit (select ${add(limit, 'int')}) offset (select ${add(end - limit, 'bigint')})`;
  const isNear = end <= LAST_NEAR_ROW;
  // A round number, so that pages have few texts, and a literal, so that plans are made for about so many rows.
  const bound = isNear ? LAST_NEAR_ROW : roundUpToPowerOfTen(end);
  const sorted = `(select ${isNear ? '*' : '"id"'} ${fromWhere(table, where)} order by ${order} limit ${bound})`;
  // Rows before the page are skipped in the index: only rows of the page are read.
  const rows = isNear
    ? `select * from ${sorted} as ${table.name} ${range}`
    : `select * from ${table.name} where "id" = any(array(select "id" from ${sorted} as ${table.name} ${range}))`;
  return (
    `select ${table.selectAll}, "listTotal" from (select ${listTotalSql(table, query, where)} as "listTotal") as "counted" ` +
    `left join (${rows}) as ${table.name} on true order by ${order}`
  );
}

const roundUpToPowerOfTen = (value: number): number => 10 ** String(value - 1).length;

/** @param after the keys of the row that the page follows; `null` for the first page */
function cursorPageSql(
  table: EntityTable,
  { sort, limit }: ParsedListQuery,
  where: ListSql,
  after: readonly CursorKey[] | null,
  add: AddParameter,
): string {
  const operands = sort.map(({ property }) => where.operand(property));
  const values = after && operands.map(({ type }, i) => add(after[i], type));
  const beyond = values ? seekConditions(buildSortKeys(where, sort, values)) : [];
  // As text, because the value that a row shows may be less exact than the stored one.
  const keys = operands.map(({ sql }) => `${sql}::text`).join(', ');
  const found = fromWhere(table, where, beyond);
  return `select ${table.selectAll}, json_build_array(${keys})::text as "cursorKeys" ${found} order by ${orderBy(where, sort)} limit ${limit + 1}`;
}

/**
 * The conditions of the rows that follow a row. If all directions are equal, they are one row comparison, which an index
 * answers; else they are the comparison written out.
 */
function seekConditions(keys: readonly SortKey[]): string[] {
  const first = keys[0] as SortKey;
  const beyond = ({ direction }: SortKey): string => (direction === 'asc' ? '>' : '<');
  if (keys.every(({ direction }) => direction === first.direction)) {
    const expressions = keys.map(({ expression }) => expression).join(', ');
    return [`(${expressions}) ${beyond(first)} (${keys.map(({ value }) => value).join(', ')})`];
  }
  const branches = keys.map((key, i) => {
    const equal = keys.slice(0, i).map(({ expression, value }) => `${expression} = ${value}`);
    return `(${[...equal, `${key.expression} ${beyond(key)} ${key.value}`].join(' and ')})`;
  });
  // The first condition follows from the second. It is there because an index can start at it.
  return [`${first.expression} ${beyond(first)}= ${first.value}`, `(${branches.join(' or ')})`];
}
