import { Statement } from '../database/connection.js';
import { scopeConditions } from '../database/row-scope.js';
import { statementName, Table } from '../database/table.js';
import { CursorKey } from './cursor.js';
import { ListQuery } from './list-query.js';
import { SeekKey, sortKeysOf } from './sort-sql.js';
import { SortTerm } from './sort.js';

/** From here on, an offset page looks for its ids in the index before it reads rows. */
const DEEP_OFFSET = 500;

/** Gathers parameters, and gives the placeholder of each. */
class Parameters {
  readonly values: unknown[] = [];

  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/**
 * The statement for a page of a list. Offset pages come with the list's total in every row, from the same
 * snapshot; a row of nothing but the total stands for a page past the end. Cursor pages come with one row more
 * than asked for where more follow.
 */
export function listStatement(table: Table, query: ListQuery): Statement {
  const parameters = new Parameters();
  const conditions = query.conditions.map(({ property, operator, value }) => {
    const { name, type } = table.column(property);
    return `${name} ${operator} ${parameters.add(value, type)}`;
  });
  if (table.condition) conditions.push(table.condition);
  if (query.scope) {
    conditions.push(...scopeConditions(table, query.scope, (value, type) => parameters.add(value, type)));
  }
  const { position } = query;
  const text =
    position.style === 'offset'
      ? offsetPage(table, query, position.page, conditions, parameters)
      : cursorPage(table, query, position.after, conditions, parameters);
  // Sorts of several fields are too many to keep prepared on every connection.
  const name = query.sort.length <= 2 ? statementName(text) : undefined;
  return { text, values: parameters.values, name };
}

function offsetPage(
  table: Table,
  query: ListQuery,
  page: number,
  conditions: readonly string[],
  parameters: Parameters,
): string {
  const where = whereClause(conditions);
  const order = orderBy(table, query.sort);
  const offset = (page - 1) * query.limit;
  const range = `limit ${parameters.add(query.limit, 'int')} offset ${parameters.add(offset, 'bigint')}`;
  const source =
    offset < DEEP_OFFSET
      ? `select * from ${table.name}${where} order by ${order} ${range}`
      : `select * from ${table.name} where "id" = any(array(select "id" from ${table.name}${where} order by ${order} ${range}))`;
  return (
    `select "listTotal", ${table.selection} ` +
    `from (select count(*)::int as "listTotal" from ${table.name}${where}) as "counted" ` +
    `left join (${source}) as ${table.name} on true order by ${order}`
  );
}

function cursorPage(
  table: Table,
  query: ListQuery,
  after: readonly CursorKey[] | null,
  conditions: readonly string[],
  parameters: Parameters,
): string {
  const where = whereClause(
    after ? [...conditions, ...seek(table, query.sort, after, parameters)] : conditions,
  );
  return (
    `select ${table.selection} from ${table.name}${where} ` +
    `order by ${orderBy(table, query.sort)} limit ${parameters.add(query.limit + 1, 'int')}`
  );
}

const whereClause = (conditions: readonly string[]): string =>
  conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';

function orderBy(table: Table, sort: readonly SortTerm[]): string {
  return sortKeysOf(table, sort)
    .map(({ expression, direction }) => `${expression} ${direction}`)
    .join(', ');
}

/** The rows after those keys. With one direction, a row comparison that an index answers; else its expansion. */
function seek(
  table: Table,
  sort: readonly SortTerm[],
  after: readonly CursorKey[],
  parameters: Parameters,
): string[] {
  const values = sort.map(({ property }, i) => parameters.add(after[i], table.column(property).type));
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
