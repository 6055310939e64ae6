import { AddParameter } from '../database/row-filter.js';
import { CursorKey } from './cursor.js';
import { ListSql } from './list-sql.js';
import { buildSortKeys, SortKey, SortTerm } from './sort.js';

/** The keys of a row as a JSON array. They are text, because the value that a row shows may be less exact than the stored one. */
export const cursorKeysSql = (where: ListSql, sort: readonly SortTerm[]): string =>
  `json_build_array(${sort.map(({ property }) => `${where.operand(property).sql}::text`).join(', ')})::text as "cursorKeys"`;

/**
 * The conditions of the rows that follow a row. If all directions are equal, they are one row comparison, which an index
 * answers; else they are the comparison written out.
 * @param after the keys of the row; `null` for the first page, which has no conditions
 */
export function seekConditions(
  where: ListSql,
  sort: readonly SortTerm[],
  after: readonly CursorKey[] | null,
  add: AddParameter,
): string[] {
  if (!after) return [];
  const keys = buildSortKeys(
    where,
    sort,
    sort.map(({ property }, i) => add(after[i], where.operand(property).type)),
  );
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
