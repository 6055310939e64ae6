import { Table } from '../database/table.js';
import { DEFAULT_LIMIT, ListQuery, MAX_LIMIT } from './list-query.js';
import { SeekKey, sortKeysOf } from './sort-sql.js';
import { SortTerm } from './sort.js';

/** Numbers the parameters of a statement. */
export class Placeholders {
  /** The types of the parameters, as casts name them. */
  readonly types: string[] = [];

  next(type: string): string {
    return `$${this.types.push(type)}::${type}`;
  }
}

/** The parts of the SQL of a list's pages. */
export interface PageParts {
  readonly table: Table;
  readonly sort: readonly SortTerm[];
  /** The conditions on the list's rows. */
  readonly conditions: readonly string[];
  /** Whether they are equalities, for which an index finds the rows in their order. */
  readonly areIndexed: boolean;
  readonly placeholders: Placeholders;
}

/**
 * A page by its number. Each row ends with the list's total, seen by the same snapshot; a row of nothing but this stands
 * for a page past the end. Its last parameters are limit and offset; the usual first page has neither.
 *
 * @param counted gives the total: see `countedSql`
 */
export function offsetPage(parts: PageParts, counted: string, kind: OffsetKind): string {
  const { table, sort, conditions } = parts;
  const order = orderBy(table, sort);
  const found = `from ${table.name}${whereClause(conditions)} order by ${order}`;
  const source = `(${sourceOf(parts, found, kind)}) as ${table.name}`;
  const total = `"listTotal" from (select ${counted} as "listTotal") as "counted"`;
  return `select ${table.whole.sql}, ${total} left join ${source} on true order by ${order}`;
}

/**
 * The rows of a page by its number. A plan for a limit and an offset that are parameters is made anew each time, for
 * PostgreSQL expects a tenth of the table of them: more than most such pages cost. They are subselects, which no plan
 * looks into, of so many rows as the kind of page may reach, which is in the text.
 *
 * @param found the list in its order, without a selection
 */
function sourceOf(parts: PageParts, found: string, kind: OffsetKind): string {
  const { table, placeholders } = parts;
  if (kind === 'first') return `select * ${found} limit ${DEFAULT_LIMIT}`;
  const [limit, offset] = [placeholders.next('int'), placeholders.next('bigint')];
  const within = (selected: string, skipped: number, range: string): string =>
    `select * from (select ${selected} ${found} limit ${skipped + MAX_LIMIT}) as ${table.name} ${range}`;
  const range = `limit (select ${limit}) offset (select ${offset})`;
  if (kind === 'near') return within('*', NEAR_OFFSET, range);
  const isDeep = kind === 'deep';
  if (isSeekable(parts)) {
    const columns = parts.sort
      .map(({ property }, i) => `${table.operand(property).sql} as "${i + 1}"`)
      .join(', ');
    const place = isDeep
      ? `select ${columns} ${found} limit 1 offset ${offset}`
      : within(columns, DEEP_OFFSET, `limit 1 offset (select ${offset})`);
    return fromPlace(parts, place, limit);
  }
  // What is skipped is skipped in the index, and rows are looked up by the ids that are left.
  const ids = isDeep
    ? `select "id" ${found} limit ${limit} offset ${offset}`
    : within('"id"', DEEP_OFFSET, range);
  return `select * from ${table.name} where "id" = any(array(${ids}))`;
}

/** Whether the rows from a place on are one range of an index: by columns in one direction, and nothing to filter. */
function isSeekable({ table, sort, areIndexed }: PageParts): boolean {
  const isOneWay = new Set(sort.map(({ direction }) => direction)).size === 1;
  return (
    areIndexed && isOneWay && sort.length <= 2 && sort.every(({ property }) => table.columns.has(property))
  );
}

/**
 * The rows from a place on. What lies before it is skipped in the index, without a look at the rows.
 *
 * @param place selects what the first row of the page has in the terms of the sort
 * @param limit the placeholder of how many rows
 */
function fromPlace({ table, sort, conditions }: PageParts, place: string, limit: string): string {
  const values = sort.map((_, i) => `"place"."${i + 1}"`);
  const onwards = [...conditions, ...seek(table, sort, values, '=')];
  return (
    `select ${table.name}.* from (${place}) as "place" cross join lateral (select * from (` +
    `select * from ${table.name}${whereClause(onwards)} order by ${orderBy(table, sort)} ` +
    `limit ${MAX_LIMIT}) as ${table.name} limit (select ${limit})) as ${table.name}`
  );
}

/**
 * A page from a cursor on, or from the start. Each row ends with what `cursorColumns` names. Its last parameters are
 * the cursor's keys and, where it is not the usual one, the limit.
 */
export function cursorPage(
  parts: PageParts,
  { isStart, isUsual }: { isStart: boolean; isUsual: boolean },
): string {
  const { table, sort, conditions, placeholders } = parts;
  const last = (): string[] => sort.map(({ property }) => placeholders.next(table.operand(property).type));
  const all = isStart ? conditions : [...conditions, ...seek(table, sort, last())];
  const order = orderBy(table, sort);
  const limit = isUsual ? DEFAULT_LIMIT + 1 : placeholders.next('int');
  const found = `from ${table.name}${whereClause(all)} order by ${order} limit ${limit}`;
  const columns = cursorColumns(table, sort).map(({ selected }) => selected);
  return `select ${[table.whole.sql, ...columns].join(', ')} ${found}`;
}

/** A column that is read for the next cursor alone, because the row shows its value less exactly than it is stored. */
export interface CursorColumn {
  readonly property: string;
  readonly selected: string;
}

export function cursorColumns(table: Table, sort: readonly SortTerm[]): CursorColumn[] {
  return sort.flatMap(({ property }) => {
    const { isExact, sql } = table.operand(property);
    return isExact ? [] : { property, selected: `${sql}::text as "cursor ${property}"` };
  });
}

const whereClause = (conditions: readonly string[]): string =>
  conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';

function orderBy(table: Table, sort: readonly SortTerm[]): string {
  return sortKeysOf(table, sort)
    .map(({ expression, direction }) => `${expression} ${direction}`)
    .join(', ');
}

/**
 * The rows after a place, or with `=` those from it on, which takes one direction. With one direction it is a row
 * comparison that an index answers; else its expansion.
 *
 * @param values SQL for what the row of the place has in each term
 */
function seek(
  table: Table,
  sort: readonly SortTerm[],
  values: readonly string[],
  orEqual: '' | '=' = '',
): string[] {
  const keys = sortKeysOf(table, sort, values);
  const first = keys[0] as SeekKey;
  const beyond = ({ direction }: SeekKey): string => (direction === 'asc' ? '>' : '<');
  if (keys.every(({ direction }) => direction === first.direction)) {
    const expressions = keys.map(({ expression }) => expression).join(', ');
    return [`(${expressions}) ${beyond(first)}${orEqual} (${keys.map(({ value }) => value).join(', ')})`];
  }
  const branches = keys.map((key, i) => {
    const equal = keys.slice(0, i).map(({ expression, value }) => `${expression} = ${value}`);
    return `(${[...equal, `${key.expression} ${beyond(key)} ${key.value}`].join(' and ')})`;
  });
  // The first condition follows from the second; it is the one that an index can start at.
  return [`${first.expression} ${beyond(first)}= ${first.value}`, `(${branches.join(' or ')})`];
}

/** From here on, reading what a page skips costs more than looking its rows up by their ids. */
const NEAR_OFFSET = 60;
/** From here on, a page by its number lies deep: its plan may depend on how deep. */
const DEEP_OFFSET = 500;

/**
 * The page that a statement is for. Pages of the usual limit have it in the text: of a limit that is a parameter,
 * PostgreSQL expects a tenth of the table, and plans the statement anew each time.
 */
export function pageKindOf({ position, limit }: ListQuery): PageKind {
  const isUsual = limit === DEFAULT_LIMIT;
  if (position.style === 'cursor') return { isStart: position.after === null, isUsual };
  if (position.page === 1 && isUsual) return 'first';
  const offset = (position.page - 1) * limit;
  if (offset >= DEEP_OFFSET) return 'deep';
  return offset >= NEAR_OFFSET ? 'page' : 'near';
}

type OffsetKind = 'first' | 'near' | 'page' | 'deep';

export type PageKind = OffsetKind | { readonly isStart: boolean; readonly isUsual: boolean };
