import { Reader, Statement, statementName } from '../database/connection.js';
import { Add, ScopeSql, scopeSql } from '../database/row-scope.js';
import { Operand, Table } from '../database/table.js';
import { CountedValue, MAX_TOTALS_COLUMNS, Totals, totalSql } from '../database/totals-sql.js';
import { CursorKey } from './cursor.js';
import { ListDefinition, ListFilter } from './list-definition.js';
import { DEFAULT_LIMIT, ListQuery, Page } from './list-query.js';
import { RELEVANCE, relevanceOf, SEARCH_FILTER } from './search.js';
import { SortKey, sortKeysOf, SortTerm } from './sort.js';

/** Pages whose rows are all among the first of their list are read as they come. */
const NEAR = 100;
/** Up to here a plan for any value of a filter serves: rows that are skipped are soon found, whichever they are. */
const FAR = 1_000;

type Found<Row> = Row & { id?: unknown; listTotal?: number; cursorKeys?: string };

/** Reads the page of a query by one statement, which shows one snapshot. @param on a replica, or a transaction */
export async function readPage<Row extends object>(
  table: Table,
  query: ListQuery,
  on: Reader,
): Promise<Page<Row>> {
  const { limit, position, nextRows } = query;
  if (nextRows) return { query, rows: (await nextRows(wholeStatement(table, query))) as Row[] };
  const found = await on.query<Found<Row>>(pageStatement(table, query));
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
export function pageStatement(table: Table, query: ListQuery): Statement {
  const { conditions, sort, scope, position, limit } = query;
  const values: unknown[] = [];
  const add: Add = (value, type) => `$${values.push(value)}::${type}`;
  const asked = askedOf(table, query, add);
  const isByCursor = position.style === 'cursor';
  const end = isByCursor ? 0 : position.page * limit;
  const text = isByCursor
    ? cursorPage(table, query, asked, position.after, add)
    : numberedPage(table, query, asked, end, add);
  // Those that stay prepared are as many as the list declares, whatever clients ask for: by one field and `id`, with
  // one filter or several of equality, each of one value, of rows that everybody may see. What is skipped far into a
  // filtered list is planned for it, and so are words that are searched for.
  const isOfOneValue = conditions.every(
    ({ filter, value }) => typeof value !== 'object' && filter !== SEARCH_FILTER,
  );
  const isOfFew = conditions.length <= 1 || asked.values !== null;
  const isDeclared = sort.length <= 2 && isOfFew && isOfOneValue && !scope;
  const isUsual = isByCursor ? limit === DEFAULT_LIMIT : end <= FAR || conditions.length === 0;
  return { text, values, ...(isDeclared && isUsual && { name: statementName(text) }) };
}

function wholeStatement(table: Table, query: ListQuery): Statement {
  const values: unknown[] = [];
  const asked = askedOf(table, query, (value, type) => `$${values.push(value)}::${type}`);
  const order = orderBy(asked, query.sort);
  return { text: `select ${table.whole} ${foundIn(table, asked)} order by ${order}`, values };
}

/** What a query asks of rows, as SQL. */
export interface Asked {
  readonly conditions: readonly string[];
  /** The placeholders of the values that properties must have, if that is all of the conditions; else `null`. */
  readonly values: ReadonlyMap<string, CountedValue> | null;
  /** A value that rows are sorted by: one of the table, or the relevance. */
  readonly operand: (property: string) => Operand;
  /** The rows that the caller may see; `undefined`: all of them. */
  readonly scope: ScopeSql | undefined;
}

export function askedOf(table: Table, { within, conditions, scope, definition }: ListQuery, add: Add): Asked {
  const texts: string[] = [];
  const values = new Map<string, CountedValue>();
  let relevance: Operand | undefined;
  let isPlain = true;
  const equal = (property: string, placeholder: string, isArray = false): void => {
    isPlain &&= !values.has(property);
    values.set(property, { placeholder, isArray });
  };
  for (const { property, value } of within) {
    const { sql, type } = table.operand(property);
    const placeholder = add(value, type);
    texts.push(`${sql} = ${placeholder}`);
    equal(property, placeholder);
  }
  for (const { filter, value } of conditions) {
    const type = typeOf(filter, table);
    const isArray = typeof value === 'object';
    // For a flag that is a parameter PostgreSQL expects half of the rows whichever it is, and makes a plan each time.
    const isFlag = type === 'boolean' && !isArray;
    const placeholder = isFlag ? String(value === true) : add(value, isArray ? `${type}[]` : type);
    texts.push(filter.sql(isArray ? `any(${placeholder})` : placeholder, table.row as never));
    if (filter === SEARCH_FILTER) relevance = relevanceOf(table, placeholder);
    if (filter.operator === '=' && filter.property !== undefined)
      equal(filter.property, placeholder, isArray);
    else isPlain = false;
  }
  if (definition.only) texts.push(`(${definition.only(table.row as never)})`);
  return {
    conditions: texts,
    values: isPlain ? values : null,
    operand: (property) => (property === RELEVANCE && relevance) || table.operand(property),
    scope: scope && scopeSql(table, scope, add),
  };
}

const typeOf = ({ property, kind }: ListFilter, table: Table): string =>
  property === undefined ? String(kind.column?.type ?? 'text') : table.operand(property).type;

/** @throws Error for a filter that no row could be found by */
export function assertFilter(filter: ListFilter, table: Table): void {
  if (filter.property !== undefined) assertShown(table, filter.property);
  const placeholder = `$1::${typeOf(filter, table)}`;
  if (!filter.sql(placeholder, table.row as never).includes(placeholder))
    throw new Error('its SQL does not use the value');
}

/** Who may ask for rows by what no response shows could find it out. */
export function assertShown(table: Table, property: string): void {
  if (table.operand(property).isHidden) throw new Error(`${property} is never shown (select: false)`);
}

/** A page by its number with the list's total; a row of nothing but the total stands for a page past the end. */
function numberedPage(table: Table, query: ListQuery, asked: Asked, end: number, add: Add): string {
  const { limit, sort } = query;
  const order = orderBy(asked, sort);
  // PostgreSQL plans a limit that is a parameter for a tenth of the table: no plan looks into a subselect.
  const range = `limit (select ${add(limit, 'int')}) offset (select ${add(end - limit, 'bigint')})`;
  const isNear = end <= NEAR;
  const bound = isNear ? NEAR : 10 ** String(end - 1).length;
  const found = `(select ${isNear ? '*' : '"id"'} ${foundIn(table, asked)} order by ${order} limit ${bound})`;
  // What is skipped is skipped in the index, and rows are looked up by the ids that are left.
  const rows = isNear
    ? `select * from ${found} as ${table.name} ${range}`
    : `select * from ${table.name} where "id" = any(array(select "id" from ${found} as ${table.name} ${range}))`;
  return (
    `select ${table.whole}, "listTotal" from (select ${countedSql(table, query, asked)} as "listTotal") as "counted" ` +
    `left join (${rows}) as ${table.name} on true order by ${order}`
  );
}

/** Types whose values are equal exactly where they are written alike, and short. */
const COUNTABLE =
  /^(?:character varying|varchar|integer|int|smallint|bigint|bool(?:ean)?|uuid|date|"[^"]+")$/;

/** The totals of a list that triggers maintain; `undefined`: rows are counted. */
export function totalsOf({ totals, only }: ListDefinition, table: Table): Totals | undefined {
  if (!totals) return undefined;
  if (only) throw new Error('the list shows but a part of the table, which no totals are kept of');
  if (totals.length > MAX_TOTALS_COLUMNS) throw new Error(`takes at most ${MAX_TOTALS_COLUMNS} properties`);
  const columns = totals.map((property) => {
    const { name, type } = table.column(property);
    if (!COUNTABLE.test(type)) throw new Error(`rows cannot be counted by ${property}, of type ${type}`);
    return unquoted(name);
  });
  return { table: unquoted(table.name), columns };
}

const unquoted = (name: string): string => name.slice(1, -1);

/** The total of the rows that are asked for: one that is maintained, or a count, as `float8`, which `pg` gives as a number. */
function countedSql(table: Table, { definition, scope }: ListQuery, asked: Asked): string {
  const { values } = asked;
  const count = (found: string): string => `(select count(*)::float8 ${found})`;
  const totals = totalsOf(definition, table);
  const isKept = [...(values?.keys() ?? [])].every((property) => definition.totals?.includes(property));
  if (!totals || !values || !isKept || scope?.anyOf) return count(foundIn(table, asked));
  const columns = new Map(
    [...values].map(([property, value]) => [unquoted(table.column(property).name), value]),
  );
  const total = totalSql(totals, columns);
  const { excepted = [] } = asked.scope ?? {};
  if (excepted.length === 0) return `(${total})::float8`;
  const hidden = foundIn(table, { ...asked, scope: undefined }, [`(${excepted.join(' or ')})`]);
  return `(${total} - ${count(hidden)})::float8`;
}

/** A page from a cursor on, or from the start, and one row more. */
function cursorPage(
  table: Table,
  { sort, limit }: ListQuery,
  asked: Asked,
  after: readonly unknown[] | null,
  add: Add,
): string {
  const operands = sort.map(({ property }) => asked.operand(property));
  const values = after && operands.map(({ type }, i) => add(after[i], type));
  const beyond = values ? seek(sortKeysOf(asked, sort, values)) : [];
  // As texts: what a row shows may be less exact than what is stored.
  const keys = operands.map(({ sql }) => `${sql}::text`).join(', ');
  const found = foundIn(table, asked, beyond);
  return `select ${table.whole}, json_build_array(${keys})::text as "cursorKeys" ${found} order by ${orderBy(asked, sort)} limit ${limit + 1}`;
}

export function foundIn(table: Table, { conditions, scope }: Asked, others: readonly string[] = []): string {
  const all = [...conditions, ...(scope?.conditions ?? []), ...others];
  return `from ${table.name}${all.length > 0 ? ` where ${all.join(' and ')}` : ''}`;
}

const orderBy = (asked: Asked, sort: readonly SortTerm[]): string =>
  sortKeysOf(asked, sort)
    .map(({ expression, direction }) => `${expression} ${direction}`)
    .join(', ');

/** The rows after a place. With one direction it is a row comparison that an index answers; else its expansion. */
function seek(keys: readonly SortKey[]): string[] {
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
