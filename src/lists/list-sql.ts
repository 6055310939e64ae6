import { Table } from '../database/table.js';
import { ListQuery } from './list-query.js';
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
 * for a page past the end. Its last parameters are limit and offset.
 *
 * @param counted gives the total: see `countedSql`
 * @param isDeep looks for the ids in the index before it reads rows
 */
export function offsetPage(parts: PageParts, counted: string, isDeep: boolean): string {
  const { table, sort, conditions, placeholders } = parts;
  const order = orderBy(table, sort);
  const range = `limit ${placeholders.next('int')} offset ${placeholders.next('bigint')}`;
  const found = `${whereClause(conditions)} order by ${order} ${range}`;
  const source = isDeep
    ? `select * from ${table.name} where "id" = any(array(select "id" from ${table.name}${found}))`
    : `select * from ${table.name}${found}`;
  return (
    `select "listTotal", "listPending", ${table.selection} from (${counted}) as "counted" ` +
    `left join (${source}) as ${table.name} on true order by ${order}`
  );
}

/**
 * A page from a cursor on, or from the start. Its last parameters are the cursor's keys and the limit.
 *
 * @param isStart whether there is no cursor
 */
export function cursorPage(parts: PageParts, isStart: boolean): string {
  const { table, sort, conditions, placeholders } = parts;
  const all = isStart ? conditions : [...conditions, ...seek(table, sort, placeholders)];
  const selected = [table.selection, ...keyColumns(table, sort).map(({ selected }) => selected)];
  return (
    `select ${selected.join(', ')} from ${table.name}${whereClause(all)} ` +
    `order by ${orderBy(table, sort)} limit ${placeholders.next('int')}`
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

/** Whether a page by its number lies so deep that its ids are better looked for first. */
export const isDeepPage = ({ position, limit }: ListQuery): boolean =>
  position.style === 'offset' && (position.page - 1) * limit >= DEEP_OFFSET;

const DEEP_OFFSET = 500;
