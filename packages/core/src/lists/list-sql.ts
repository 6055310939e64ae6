import { Operand, EntityTable } from '../database/entity-table.js';
import { AddParameter, RowFilterSql, rowFilterSql } from '../database/row-filter.js';
import { CountedValue } from '../database/totals-sql.js';
import { jsonMemberType } from './contains.js';
import { ListDefinition, ListFilter } from './list-definition.js';
import { ParsedListQuery } from './list-query.js';
import { RELEVANCE, relevanceOperand, SEARCH_FILTER } from './search.js';
import { buildSortKeys, SortTerm } from './sort.js';

/** The conditions of a query as SQL, and what the statement needs to know about them. */
export interface ListSql {
  readonly conditions: readonly string[];
  /**
   * The values that properties must have, by property, if the query has no conditions but these: its total can be looked
   * up instead of counted. Else `null`.
   */
  readonly equalValues: ReadonlyMap<string, CountedValue> | null;
  /**
   * If a filter with a total has several values: their placeholder, and the conditions of the rows with one of them, which is
   * `"each"."value"`. No index has the rows of several values in the order of a sort.
   */
  readonly eachValue?: { readonly values: string; readonly conditions: readonly string[] } | undefined;
  /** The SQL of a property that rows are sorted by. If the query searches, this includes `relevance`. */
  readonly operand: (property: string) => Operand;
  /** The rows that the caller may see; `undefined` if the caller may see all. */
  readonly rowFilter: RowFilterSql | undefined;
}

/** The values of a statement, and a function that appends one and returns its placeholder. */
export function createParameters(): { readonly values: unknown[]; readonly add: AddParameter } {
  const values: unknown[] = [];
  return { values, add: (value, type) => `$${values.push(value)}::${type}` };
}

export function buildWhere(table: EntityTable, query: ParsedListQuery, add: AddParameter): ListSql {
  const { fixedFilters, conditions, scope, definition } = query;
  const texts: string[] = [];
  const equalValues = new Map<string, CountedValue>();
  let relevance: Operand | undefined;
  let areAllEqual = true;
  const addEqual = (property: string, placeholder: string, isArray = false): void => {
    areAllEqual &&= !equalValues.has(property);
    equalValues.set(property, { placeholder, isArray });
  };
  for (const { property, value } of fixedFilters) {
    const { sql, type } = table.operand(property);
    const placeholder = add(value, type);
    texts.push(`${sql} = ${placeholder}`);
    addEqual(property, placeholder);
  }
  for (const { filter, value } of conditions) {
    const type = filterType(filter, table);
    const isArray = typeof value === 'object' && filter.isAllOf !== true;
    // PostgreSQL expects half of the rows for a flag that is a parameter, whatever its value, and plans it each time.
    const isFlag = type === 'boolean' && !isArray;
    const placeholder = isFlag ? String(value === true) : add(value, isArray ? `${type}[]` : type);
    const text =
      rangeSql(definition, filter, table, placeholder) ??
      filter.sql(isArray ? `any(${placeholder})` : placeholder, table.row as never);
    // The SQL of an application may contain `or`, which would also lift the conditions of the route and of the scope.
    texts.push(filter.operator ? text : `(${text})`);
    if (filter === SEARCH_FILTER) relevance = relevanceOperand(table, placeholder);
    if (filter.operator === '=' && filter.property !== undefined)
      addEqual(filter.property, placeholder, isArray);
    else areAllEqual = false;
  }
  if (definition.only) texts.push(`(${definition.only(table.row as never)})`);
  return {
    conditions: texts,
    eachValue: findEachValue(table, query, texts, equalValues),
    equalValues: areAllEqual ? equalValues : null,
    operand: (property) => (property === RELEVANCE && relevance) || table.operand(property),
    rowFilter: scope && rowFilterSql(table, scope, add),
  };
}

/**
 * A range of a property that may be null and that the list can be sorted by, by the expression of the sort, which is infinite
 * in place of null: its index finds the rows. `undefined` for other conditions.
 */
function rangeSql(
  { sorts, unindexed }: ListDefinition,
  { property, operator = '=' }: ListFilter,
  table: EntityTable,
  placeholder: string,
): string | undefined {
  if (operator === '=' || property === undefined || !table.operand(property).isNullable) return undefined;
  if (!sorts.includes(property) || unindexed.includes(property)) return undefined;
  const direction = operator === '>=' ? 'desc' : 'asc';
  const [key, ...others] = buildSortKeys(table, [{ property, direction }]);
  return key && others.length === 0 ? `${key.expression} ${operator} ${placeholder}` : undefined;
}

function findEachValue(
  table: EntityTable,
  { conditions, fixedFilters, definition }: ParsedListQuery,
  texts: readonly string[],
  equalValues: ListSql['equalValues'] & object,
): ListSql['eachValue'] {
  const index = conditions.findIndex(({ value, filter }) => typeof value === 'object' && filter.isAnyOf);
  const { filter } = conditions[index] ?? {};
  const values = equalValues.get(filter?.property ?? '')?.placeholder;
  // Citus has no rows of a subquery for each value.
  if (definition.totalsByTriggers === false) return undefined;
  if (!filter || !values || !definition.totals?.includes(filter.property ?? '')) return undefined;
  const condition = filter.sql('"each"."value"', table.row as never);
  return { values, conditions: texts.with(fixedFilters.length + index, condition) };
}

/** The PostgreSQL type of the value that a filter compares. */
export function filterType({ property, kind, operator, isAllOf }: ListFilter, table: EntityTable): string {
  if (operator === '@>' && !isAllOf) return jsonMemberType(kind);
  return property === undefined ? String(kind.column?.type ?? 'text') : table.operand(property).type;
}

export function fromWhere(
  table: EntityTable,
  { conditions, rowFilter }: ListSql,
  others: readonly string[] = [],
): string {
  const all = [...conditions, ...(rowFilter?.conditions ?? []), ...others];
  return `from ${table.name}${all.length > 0 ? ` where ${all.join(' and ')}` : ''}`;
}

/** @param isReversed whether the last rows come first */
export const orderBy = (where: ListSql, sort: readonly SortTerm[], isReversed = false): string =>
  buildSortKeys(where, sort)
    .map(
      ({ expression, direction }) => `${expression} ${(direction === 'asc') === isReversed ? 'desc' : 'asc'}`,
    )
    .join(', ');
