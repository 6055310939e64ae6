import { QueryExecutor, prepared, Statement } from '../database/sql-executor.js';
import { AddParameter, RowFilterSql, rowFilterSql } from '../database/row-filter.js';
import { Operand, EntityTable } from '../database/entity-table.js';
import { CountedValue, MAX_TOTALS_COLUMNS, Totals, totalSql } from '../database/totals-sql.js';
import { CursorKey } from './cursor.js';
import { ListDefinition, ListFilter } from './list-definition.js';
import { DEFAULT_LIMIT, ParsedListQuery, Page } from './list-query.js';
import { RELEVANCE, relevanceOperand, SEARCH_FILTER } from './search.js';
import { SortKey, buildSortKeys, SortTerm } from './sort.js';

/** Pages whose rows are all among the first of their list are read as they come. */
const NEAR = 100;
/** Up to here a plan for any value of a filter serves: rows that are skipped are soon found, whichever they are. */
const FAR = 1_000;

type PageRow<Row> = Row & { id?: unknown; listTotal?: number; cursorKeys?: string };

/** Reads the page of a query by one statement, which shows one snapshot. @param db a replica, or a transaction */
export async function readPage<Row extends object>(
  table: EntityTable,
  query: ParsedListQuery,
  db: QueryExecutor,
): Promise<Page<Row>> {
  const { limit, position, nextRows } = query;
  if (nextRows) return { query, rows: (await nextRows(exportStatement(table, query))) as Row[] };
  const found = await db.query<PageRow<Row>>(pageStatement(table, query));
  const keys = found.length > limit && found[limit - 1]?.cursorKeys;
  const next = keys ? (JSON.parse(keys) as CursorKey[]) : null;
  const total = found[0]?.listTotal ?? 0;
  const isPastTheEnd = found[0]?.id === null;
  for (const row of found) {
    delete row.listTotal;
    delete row.cursorKeys;
  }
  if (position.style === 'cursor') return { query, rows: found.slice(0, limit), next };
  return { query, rows: isPastTheEnd ? [] : found, total };
}

/** The statement of a page: rows with the total as `listTotal`, or with a JSON array of their keys as `cursorKeys`. */
export function pageStatement(table: EntityTable, query: ParsedListQuery): Statement {
  const { conditions, sort, scope, position, limit } = query;
  const values: unknown[] = [];
  const add: AddParameter = (value, type) => `$${values.push(value)}::${type}`;
  const asked = buildWhere(table, query, add);
  const isByCursor = position.style === 'cursor';
  const end = isByCursor ? 0 : position.page * limit;
  const text = isByCursor
    ? cursorPageSql(table, query, asked, position.after, add)
    : offsetPageSql(table, query, asked, end, add);
  // Those that stay prepared are as many as the list declares, whatever clients ask for: by one field and `id`, with
  // one filter or several of equality, each of one value, of rows that everybody may see. What is skipped far into a
  // filtered list is planned for it, and so are words that are searched for.
  const isOfOneValue = conditions.every(
    ({ filter, value }) => typeof value !== 'object' && filter !== SEARCH_FILTER,
  );
  const isOfFew = conditions.length <= 1 || asked.equalValues !== null;
  const isDeclared = sort.length <= 2 && isOfFew && isOfOneValue && !scope;
  const isUsual = isByCursor ? limit === DEFAULT_LIMIT : end <= FAR || conditions.length === 0;
  return isDeclared && isUsual ? prepared(text, values) : { text, values };
}

function exportStatement(table: EntityTable, query: ParsedListQuery): Statement {
  const values: unknown[] = [];
  const asked = buildWhere(table, query, (value, type) => `$${values.push(value)}::${type}`);
  const order = orderBy(asked, query.sort);
  return { text: `select ${table.selectAll} ${fromWhere(table, asked)} order by ${order}`, values };
}

/** What a query asks of rows, as SQL. */
export interface ListSql {
  readonly conditions: readonly string[];
  /** The placeholders of the values that properties must have, if that is all of the conditions; else `null`. */
  readonly equalValues: ReadonlyMap<string, CountedValue> | null;
  /** A value that rows are sorted by: one of the table, or the relevance. */
  readonly operand: (property: string) => Operand;
  /** The rows that the caller may see; `undefined`: all of them. */
  readonly rowFilter: RowFilterSql | undefined;
}

export function buildWhere(
  table: EntityTable,
  { fixedFilters, conditions, scope, definition }: ParsedListQuery,
  add: AddParameter,
): ListSql {
  const texts: string[] = [];
  const values = new Map<string, CountedValue>();
  let relevance: Operand | undefined;
  let isPlain = true;
  const equal = (property: string, placeholder: string, isArray = false): void => {
    isPlain &&= !values.has(property);
    values.set(property, { placeholder, isArray });
  };
  for (const { property, value } of fixedFilters) {
    const { sql, type } = table.operand(property);
    const placeholder = add(value, type);
    texts.push(`${sql} = ${placeholder}`);
    equal(property, placeholder);
  }
  for (const { filter, value } of conditions) {
    const type = filterType(filter, table);
    const isArray = typeof value === 'object';
    // For a flag that is a parameter PostgreSQL expects half of the rows whichever it is, and makes a plan each time.
    const isFlag = type === 'boolean' && !isArray;
    const placeholder = isFlag ? String(value === true) : add(value, isArray ? `${type}[]` : type);
    texts.push(filter.sql(isArray ? `any(${placeholder})` : placeholder, table.row as never));
    if (filter === SEARCH_FILTER) relevance = relevanceOperand(table, placeholder);
    if (filter.operator === '=' && filter.property !== undefined)
      equal(filter.property, placeholder, isArray);
    else isPlain = false;
  }
  if (definition.only) texts.push(`(${definition.only(table.row as never)})`);
  return {
    conditions: texts,
    equalValues: isPlain ? values : null,
    operand: (property) => (property === RELEVANCE && relevance) || table.operand(property),
    rowFilter: scope && rowFilterSql(table, scope, add),
  };
}

const filterType = ({ property, kind }: ListFilter, table: EntityTable): string =>
  property === undefined ? String(kind.column?.type ?? 'text') : table.operand(property).type;

/** @throws Error for a filter that no row could be found by */
export function assertFilter(filter: ListFilter, table: EntityTable): void {
  if (filter.property !== undefined) assertNotSelectFalse(table, filter.property);
  const placeholder = `$1::${filterType(filter, table)}`;
  if (!filter.sql(placeholder, table.row as never).includes(placeholder))
    throw new Error('its SQL does not use the value');
}

/** Who may ask for rows by what no response shows could find it out. */
export function assertNotSelectFalse(table: EntityTable, property: string): void {
  if (table.operand(property).isHidden) throw new Error(`${property} is never shown (select: false)`);
}

/** A page by its number with the list's total; a row of nothing but the total stands for a page past the end. */
function offsetPageSql(
  table: EntityTable,
  query: ParsedListQuery,
  asked: ListSql,
  end: number,
  add: AddParameter,
): string {
  const { limit, sort } = query;
  const order = orderBy(asked, sort);
  // PostgreSQL plans a limit that is a parameter for a tenth of the table: no plan looks into a subselect.
  const range = `limit (select ${add(limit, 'int')}) offset (select ${add(end - limit, 'bigint')})`;
  const isNear = end <= NEAR;
  const bound = isNear ? NEAR : 10 ** String(end - 1).length;
  const found = `(select ${isNear ? '*' : '"id"'} ${fromWhere(table, asked)} order by ${order} limit ${bound})`;
  // What is skipped is skipped in the index, and rows are looked up by the ids that are left.
  const rows = isNear
    ? `select * from ${found} as ${table.name} ${range}`
    : `select * from ${table.name} where "id" = any(array(select "id" from ${found} as ${table.name} ${range}))`;
  return (
    `select ${table.selectAll}, "listTotal" from (select ${countSql(table, query, asked)} as "listTotal") as "counted" ` +
    `left join (${rows}) as ${table.name} on true order by ${order}`
  );
}

/** Types whose values are equal exactly where they are written alike, and short. */
const COUNTABLE =
  /^(?:character varying|varchar|integer|int|smallint|bigint|bool(?:ean)?|uuid|date|"[^"]+")$/;

/** The totals of a list that triggers maintain; `undefined`: rows are counted. */
export function resolveTotals({ totals, only }: ListDefinition, table: EntityTable): Totals | undefined {
  if (!totals) return undefined;
  if (only) throw new Error('the list shows but a part of the table, which no totals are kept of');
  if (totals.length > MAX_TOTALS_COLUMNS) throw new Error(`takes at most ${MAX_TOTALS_COLUMNS} properties`);
  const columns = totals.map((property) => {
    const { name, type } = table.column(property);
    if (!COUNTABLE.test(type)) throw new Error(`rows cannot be counted by ${property}, of type ${type}`);
    return unquoteName(name);
  });
  return { table: unquoteName(table.name), columns };
}

const unquoteName = (name: string): string => name.slice(1, -1);

/** The total of the rows that are asked for: one that is maintained, or a count, as `float8`, which `pg` gives as a number. */
function countSql(table: EntityTable, { definition, scope }: ParsedListQuery, asked: ListSql): string {
  const { equalValues } = asked;
  const count = (found: string): string => `(select count(*)::float8 ${found})`;
  const totals = resolveTotals(definition, table);
  const isKept = [...(equalValues?.keys() ?? [])].every((property) => definition.totals?.includes(property));
  if (!totals || !equalValues || !isKept || scope?.anyOf) return count(fromWhere(table, asked));
  const columns = new Map(
    [...equalValues].map(([property, value]) => [unquoteName(table.column(property).name), value]),
  );
  const total = totalSql(totals, columns);
  const { excepted = [] } = asked.rowFilter ?? {};
  if (excepted.length === 0) return `(${total})::float8`;
  const hidden = fromWhere(table, { ...asked, rowFilter: undefined }, [`(${excepted.join(' or ')})`]);
  return `(${total} - ${count(hidden)})::float8`;
}

/** A page from a cursor on, or from the start, and one row more. */
function cursorPageSql(
  table: EntityTable,
  { sort, limit }: ParsedListQuery,
  asked: ListSql,
  after: readonly unknown[] | null,
  add: AddParameter,
): string {
  const operands = sort.map(({ property }) => asked.operand(property));
  const values = after && operands.map(({ type }, i) => add(after[i], type));
  const beyond = values ? seekConditions(buildSortKeys(asked, sort, values)) : [];
  // As texts: what a row shows may be less exact than what is stored.
  const keys = operands.map(({ sql }) => `${sql}::text`).join(', ');
  const found = fromWhere(table, asked, beyond);
  return `select ${table.selectAll}, json_build_array(${keys})::text as "cursorKeys" ${found} order by ${orderBy(asked, sort)} limit ${limit + 1}`;
}

export function fromWhere(
  table: EntityTable,
  { conditions, rowFilter }: ListSql,
  others: readonly string[] = [],
): string {
  const all = [...conditions, ...(rowFilter?.conditions ?? []), ...others];
  return `from ${table.name}${all.length > 0 ? ` where ${all.join(' and ')}` : ''}`;
}

const orderBy = (asked: ListSql, sort: readonly SortTerm[]): string =>
  buildSortKeys(asked, sort)
    .map(({ expression, direction }) => `${expression} ${direction}`)
    .join(', ');

/** The rows after a place. With one direction it is a row comparison that an index answers; else its expansion. */
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
  // The first condition follows from the second; it is the one that an index can start at.
  return [`${first.expression} ${beyond(first)}= ${first.value}`, `(${branches.join(' or ')})`];
}
