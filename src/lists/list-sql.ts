import { Table } from '../database/table.js';
import { DEFAULT_LIMIT, ListQuery } from './list-query.js';
import { SeekKey, sortKeysOf } from './sort-sql.js';
import { SortTerm } from './sort.js';

/** Numbers the parameters of a statement. */
export class Placeholders {
  private count = 0;

  next(type: string): string {
    return `$${++this.count}::${type}`;
  }
}

/** What the pages of a list are made of. */
export interface PageParts {
  readonly table: Table;
  readonly sort: readonly SortTerm[];
  /** What is true of the list's rows. */
  readonly conditions: readonly string[];
  readonly placeholders: Placeholders;
}

/**
 * A page by its number. Every row has the list's total, seen by the same snapshot; a row of nothing but the total stands
 * for a page past the end. Its last parameters are limit and offset; the usual first page has neither.
 *
 * @param counted gives the total: see `countedSql`
 */
export function offsetPage(parts: PageParts, counted: string, kind: 'first' | 'page' | 'deep'): string {
  const { table, sort, conditions, placeholders } = parts;
  const order = orderBy(table, sort);
  const range =
    kind === 'first'
      ? `limit ${DEFAULT_LIMIT}`
      : `limit ${placeholders.next('int')} offset ${placeholders.next('bigint')}`;
  const found = `${whereClause(conditions)} order by ${order} ${range}`;
  // A deep page looks for its ids in the index before it reads rows.
  const source =
    kind === 'deep'
      ? `select * from ${table.name} where "id" = any(array(select "id" from ${table.name}${found}))`
      : `select * from ${table.name}${found}`;
  return (
    `select "listTotal", "listPending", ${table.selection} from (${counted}) as "counted" ` +
    `left join (${source}) as ${table.name} on true order by ${order}`
  );
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
  const selected = [table.selection, ...keyColumns(table, sort).map(({ selected }) => selected)];
  const limit = isUsual ? DEFAULT_LIMIT + 1 : placeholders.next('int');
  return (
    `select ${selected.join(', ')} from ${table.name}${whereClause(all)} ` +
    `order by ${orderBy(table, sort)} limit ${limit}`
  );
}

/** A value that is read for the next cursor alone: what the row shows of it is less exact than the stored one. */
export interface KeyColumn {
  readonly property: string;
  readonly name: string;
  readonly selected: string;
}

export function keyColumns(table: Table, sort: readonly SortTerm[]): KeyColumn[] {
  return sort.flatMap(({ property }) => {
    const { isExact, sql } = table.operand(property);
    const name = `cursor ${property}`;
    return isExact ? [] : { property, name, selected: `${sql}::text as "${name}"` };
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

/** From here on, a page by its number lies deep. */
const DEEP_OFFSET = 500;

/**
 * What a page is for its statement. Pages of the usual limit have it in the text: of a limit that is a parameter,
 * PostgreSQL expects a tenth of the table, and plans the statement anew each time.
 */
export function pageKindOf({ position, limit }: ListQuery): PageKind {
  const isUsual = limit === DEFAULT_LIMIT;
  if (position.style === 'cursor') return { isStart: position.after === null, isUsual };
  if (position.page === 1 && isUsual) return 'first';
  return (position.page - 1) * limit >= DEEP_OFFSET ? 'deep' : 'page';
}

export type PageKind = 'first' | 'page' | 'deep' | { readonly isStart: boolean; readonly isUsual: boolean };
