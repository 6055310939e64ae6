import { EntityTable, Operand } from '../database/entity-table.js';
import { AddParameter } from '../database/row-filter.js';
import { ParsedListQuery } from './list-query.js';
import { fromWhere, ListSql, orderBy } from './list-sql.js';
import { listTotalSql } from './list-total.js';
import { RELEVANCE } from './search.js';
import { cursorKeysSql, seekConditions } from './seek.js';
import { buildSortKeys } from './sort.js';

/** If more rows match, none is ranked: PostgreSQL needs 4 to 8 µs to rank a row. */
const MAX_RANKED_ROWS = 5_000;
/**
 * If more rows match, a page is found in an index of the sort, unless it ends after row `LAST_WALKED_ROW`. PostgreSQL
 * needs about 100 ms to find and sort so many matches.
 */
const MAX_SORTED_ROWS = 50_000;
const LAST_WALKED_ROW = 1_000;
const ALL_ROWS = 10 ** 12;
/** The relevance of every row if none is ranked. Ranks are never negative. */
const UNRANKED = -1;

const MATCHES_COUNT = '(select "n" from "size")';

/** The most matches that are sorted for a page: all for a page far into a list. */
const maxSortedRows = ({ position, limit }: ParsedListQuery): number =>
  position.style === 'offset' && position.page * limit > LAST_WALKED_ROW ? ALL_ROWS : MAX_SORTED_ROWS;
const areSorted = (query: ParsedListQuery): string => `${MATCHES_COUNT} <= ${maxSortedRows(query)}`;
const sizeCte = (query: ParsedListQuery): string =>
  `"size" as materialized (select count(*) as "n" from (select from "matches" limit ${maxSortedRows(query) + 1}) as "first")`;

/**
 * The statement of a query that searches. PostgreSQL expects at least 2 % of the rows for the beginning of a word, even if
 * no row has it, and would look for the page in the index of the sort, through the whole table. So the matches are found
 * first: `materialized` plans them by themselves, and they are read only until they are too many to sort.
 */
export function searchStatementSql(
  table: EntityTable,
  query: ParsedListQuery,
  given: ListSql,
  add: AddParameter,
): string {
  const { position } = query;
  const relevanceKey = readRelevanceKey(query);
  const where = withRelevance(given, relevanceKey);
  const order = `order by ${orderBy(where, query.sort)}`;
  const all = `"matches" as materialized (select "id" ${fromWhere(table, where)})`;
  if (position.style === 'all')
    return `with ${all}, ${sizeCte(query)} select ${table.selectAll} ${fromWhere(table, where)} ${order}`;
  const { ctes, ids } = pageIdsSql(table, query, where, relevanceKey, add);
  const rows = `select * from ${table.name} where "id" = any(array(${ids}))`;
  if (position.style === 'cursor')
    return `with ${ctes} select ${table.selectAll}, ${cursorKeysSql(where, query.sort)} from (${rows}) as ${table.name} ${order}`;
  const total = `case when ${areSorted(query)} then ${MATCHES_COUNT}::float8 else ${listTotalSql(table, query, where)} end`;
  return (
    `with ${ctes} select ${table.selectAll}, "listTotal" from (select ${total} as "listTotal") as "counted" ` +
    `left join (${rows}) as ${table.name} on true ${order}`
  );
}

/** SQL of the ids of the page, and the common table expressions that it reads. */
function pageIdsSql(
  table: EntityTable,
  query: ParsedListQuery,
  where: ListSql,
  relevanceKey: number | undefined,
  add: AddParameter,
): Record<'ctes' | 'ids', string> {
  const isUnranked = relevanceKey === UNRANKED;
  const isSortKey = query.sort.map(({ property }) => property !== RELEVANCE);
  // If no row is ranked, the rows have no other order than that of the other sorts.
  const others = query.sort.filter((_, i) => isSortKey[i]);
  const sort = isUnranked ? others : query.sort;
  const after = query.position.style === 'cursor' ? query.position.after : null;
  const seek = seekConditions(
    where,
    sort,
    isUnranked ? (after?.filter((_, i) => isSortKey[i]) ?? null) : after,
    add,
  );
  const range = pageRange(query, add);
  const keys = buildSortKeys(where, sort);
  const columns = ['"id"', ...keys.map(({ expression }, i) => `${expression} as "key${i}"`)].join(', ');
  const sortedIds = (from: string): string =>
    `(select "id" from ${from} order by ${keys.map(({ direction }, i) => `"key${i}" ${direction}`).join(', ')} ${range})`;
  const walkedIds = `(select "id" ${fromWhere(table, where, [...seek, `not ${areSorted(query)}`])} order by ${orderBy(where, others)} ${range})`;
  const cte = (name: string, selected: string, more: readonly string[] = seek): string =>
    `"${name}" as materialized (select ${selected} ${fromWhere(table, where, more)})`;
  if (sort.length === others.length)
    return {
      ctes: `${cte('matches', columns)}, ${sizeCte(query)}`,
      ids: `${sortedIds(`(select * from "matches" where ${areSorted(query)}) as "few"`)} union all ${walkedIds}`,
    };
  if (relevanceKey !== undefined) return { ctes: cte('ranked', columns), ids: sortedIds('"ranked"') };
  return {
    ctes: `${cte('matches', '"id"', [])}, ${sizeCte(query)}, ${cte('ranked', columns, [...seek, areSorted(query)])}`,
    ids: `${sortedIds('"ranked"')} union all ${walkedIds}`,
  };
}

function pageRange({ position, limit }: ParsedListQuery, add: AddParameter): string {
  if (position.style !== 'offset') return `limit ${limit + 1}`;
  return `limit ${add(limit, 'int')} offset ${add((position.page - 1) * limit, 'bigint')}`;
}

/** The relevance of the row that the page follows, if the query is sorted by relevance and follows a row. */
function readRelevanceKey({ position, sort }: ParsedListQuery): number | undefined {
  const index = sort.findIndex(({ property }) => property === RELEVANCE);
  return position.style === 'cursor' && position.after && index >= 0
    ? Number(position.after[index])
    : undefined;
}

/**
 * The operand of relevance decides whether rows are ranked. A walk by cursors goes on as it began: rows that are inserted or
 * removed in the meantime must not change the order of all.
 */
function withRelevance(where: ListSql, relevanceKey: number | undefined): ListSql {
  const relevance = (ranked: Operand): string => {
    if (relevanceKey === UNRANKED) return `(${UNRANKED}::float8)`;
    if (relevanceKey !== undefined) return ranked.sql;
    return `(case when ${MATCHES_COUNT} <= ${MAX_RANKED_ROWS} then ${ranked.sql} else ${UNRANKED} end)`;
  };
  return {
    ...where,
    operand(property) {
      const operand = where.operand(property);
      return property === RELEVANCE ? { ...operand, sql: relevance(operand) } : operand;
    },
  };
}
