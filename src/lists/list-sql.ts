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

/** Names the parameters of one page in a batch: see `batchOf`. */
export class BatchPlaceholders extends Placeholders {
  override next(type: string): string {
    return `"batch"."${this.types.push(type)}"`;
  }
}

/**
 * Reads a batch of pages that differ in the values of their parameters alone. Each parameter is an array of the pages'
 * values, in the order of the pages, and every row ends with the number of its page, from 1.
 *
 * @param page the statement of one page, with placeholders of `BatchPlaceholders`
 * @param types of the parameters; none is an array
 */
export function batchOf(page: string, types: readonly string[]): string {
  // In subselects, whose values the planner does not see: the plan is the same for two pages and for twenty.
  const arrays = types.map((type, i) => `(select $${i + 1}::${type}[])`);
  const names = types.map((_, i) => `"${i + 1}"`);
  return (
    `select "page".*, "batch"."place"::int from unnest(${arrays.join(', ')}) ` +
    `with ordinality as "batch"(${names.join(', ')}, "place") cross join lateral (${page}) as "page"`
  );
}

/** The parts of the SQL of a list's pages. */
export interface PageParts {
  readonly table: Table;
  readonly sort: readonly SortTerm[];
  /** The conditions on the list's rows. */
  readonly conditions: readonly string[];
  readonly placeholders: Placeholders;
}

/**
 * A page by its number. Every row ends with the list's total, seen by the same snapshot, and how many changes it was
 * summed up from; a row of nothing but these stands for a page past the end. Its last parameters are limit and offset;
 * the usual first page has neither.
 *
 * @param counted gives the total: see `countedSql`
 */
export function offsetPage(parts: PageParts, counted: string, kind: OffsetKind): string {
  const { table, sort, conditions } = parts;
  const order = orderBy(table, sort);
  const found = `from ${table.name}${whereClause(conditions)} order by ${order}`;
  return (
    `select ${table.whole.sql}, "listTotal", "listPending" from (${counted}) as "counted" ` +
    `left join (${sourceOf(parts, found, kind)}) as ${table.name} on true order by ${order}`
  );
}

/**
 * The rows of a page by its number. A plan for a limit and an offset that are parameters is made anew each time, for
 * PostgreSQL expects a tenth of the table of them: more than most such pages cost. They are subselects, which no plan
 * looks into, of so many rows as the kind of page may reach, which is in the text.
 *
 * @param found the list in its order, without a selection
 */
function sourceOf({ table, placeholders }: PageParts, found: string, kind: OffsetKind): string {
  if (kind === 'first') return `select * ${found} limit ${DEFAULT_LIMIT}`;
  const [limit, offset] = [placeholders.next('int'), placeholders.next('bigint')];
  // What is skipped is skipped in the index, and rows are looked up by the ids that are left.
  const byIds = (ids: string): string => `select * from ${table.name} where "id" = any(array(${ids}))`;
  if (kind === 'deep') return byIds(`select "id" ${found} limit ${limit} offset ${offset}`);
  const range = `limit (select ${limit}) offset (select ${offset})`;
  const within = (selected: string, skipped: number): string =>
    `select ${selected} from (select ${selected} ${found} limit ${skipped + MAX_LIMIT}) as ${table.name} ${range}`;
  return kind === 'near' ? within('*', NEAR_OFFSET) : byIds(within('"id"', DEEP_OFFSET));
}

/**
 * A page from a cursor on, or from the start. Its last parameters are the cursor's keys and, where it is not the usual
 * one, the limit.
 */
export function cursorPage(
  parts: PageParts,
  { isStart, isUsual }: { isStart: boolean; isUsual: boolean },
): string {
  const { table, sort, conditions, placeholders } = parts;
  const all = isStart ? conditions : [...conditions, ...seek(table, sort, placeholders)];
  const selected = [table.whole.sql, ...keyColumns(table, sort).map(({ selected }) => selected)];
  const limit = isUsual ? DEFAULT_LIMIT + 1 : placeholders.next('int');
  return (
    `select ${selected.join(', ')} from ${table.name}${whereClause(all)} ` +
    `order by ${orderBy(table, sort)} limit ${limit}`
  );
}

/** A value that is read for the next cursor alone: what the row shows of it is less exact than the stored one. */
export interface KeyColumn {
  readonly property: string;
  readonly selected: string;
}

export function keyColumns(table: Table, sort: readonly SortTerm[]): KeyColumn[] {
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

/** The rows after a cursor's keys. With one direction, a row comparison that an index answers; else its expansion. */
function seek(table: Table, sort: readonly SortTerm[], placeholders: Placeholders): string[] {
  const values = sort.map(({ property }) => placeholders.next(table.operand(property).type));
  const keys = sortKeysOf(table, sort, values);
  const first = keys[0] as SeekKey;
  const beyond = ({ direction }: SeekKey): string => (direction === 'asc' ? '>' : '<');
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
