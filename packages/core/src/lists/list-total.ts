import { EntityTable } from '../database/entity-table.js';
import { anyAlternativeSql, ConditionSql } from '../database/row-filter.js';
import { CountedValue, MAX_TOTALS_COLUMNS, Totals, totalSql } from '../database/totals-sql.js';
import { ListDefinition } from './list-definition.js';
import { ParsedListQuery } from './list-query.js';
import { fromWhere, ListSql } from './list-sql.js';

/**
 * The types of columns by whose values totals can count rows. Such values are short, and two of them are equal only if
 * their texts are equal. A name in quotes is the name of an enum.
 */
const COUNTABLE =
  /^(?:character varying|varchar|integer|int|smallint|bigint|bool(?:ean)?|uuid|date|"[^"]+")$/;

/**
 * Returns the totals that triggers maintain for a list, or `undefined` if the list declares no totals, or switches the
 * triggers off. In this case, each request counts the rows.
 * @throws Error if the declared totals cannot be maintained
 */
export function resolveTotals(
  { totals, totalsByTriggers, only, scopes = [] }: ListDefinition,
  table: EntityTable,
): Totals | undefined {
  if (!totals || totalsByTriggers === false) return undefined;
  if (only) throw new Error('cannot be combined with `only`: totals count all rows of a table');
  const properties = [...new Set([...scopes.flat(), ...totals])];
  if (properties.length > MAX_TOTALS_COLUMNS)
    throw new Error(`must name at most ${MAX_TOTALS_COLUMNS} properties (got ${properties.length})`);
  const columns = properties.map((property) => {
    const { name, type } = table.column(property);
    if (!COUNTABLE.test(type)) throw new Error(`rows cannot be counted by ${property}, of type ${type}`);
    return unquoteName(name);
  });
  return { table: unquoteName(table.name), columns };
}

const unquoteName = (name: string): string => name.slice(1, -1);

/**
 * Builds the SQL for the total of a query. If triggers maintain the total, the SQL looks it up. Otherwise it counts the
 * rows. The result is a `float8`, which `pg` returns as a number.
 */
export function listTotalSql(table: EntityTable, { definition }: ParsedListQuery, where: ListSql): string {
  const { rowFilter } = where;
  const count = (rows: string): string => `(select count(*)::float8 ${rows})`;
  const totals = resolveTotals(definition, table);
  const [limit, ...others] = rowFilter?.alternatives ?? [];
  const total = totals && where.equalValues && lookedUpTotal(table, totals, where.equalValues, limit ?? []);
  if (!total || rowFilter?.alternatives?.length === 0) return count(fromWhere(table, where));
  // The caller may see all rows, or those of a limit, except a few and with a few more. Count these few.
  const { excepted = [] } = rowFilter ?? {};
  const without = (conditions: readonly string[]): string =>
    fromWhere(table, { ...where, rowFilter: undefined }, conditions);
  const alternatives = rowFilter?.alternatives ?? [];
  const visible = alternatives.length > 0 ? [anyAlternativeSql(alternatives)] : [];
  const isOfLimit = (limit ?? []).map(({ sql }) => sql).join(' and ');
  const added =
    others.length > 0
      ? ` + ${count(without([anyAlternativeSql(others), `(${isOfLimit}) is not true`]))}`
      : '';
  const hidden =
    excepted.length > 0 ? ` - ${count(without([...visible, `(${excepted.join(' or ')})`]))}` : '';
  return `(${total}${added}${hidden})::float8`;
}

/**
 * Returns the SQL for the number of rows with some values that match some conditions, or `undefined` if triggers do not
 * maintain it.
 */
function lookedUpTotal(
  table: EntityTable,
  totals: Totals,
  equalValues: ReadonlyMap<string, CountedValue>,
  conditions: readonly ConditionSql[],
): string | undefined {
  const values = new Map<string, CountedValue>();
  const tests: string[] = [];
  const add = (property: string, value: CountedValue): void =>
    void values.set(unquoteName(table.columns.get(property)?.name ?? ''), value);
  for (const [property, value] of equalValues) add(property, value);
  for (const { property, placeholder, isArray, matches } of conditions) {
    const equal = equalValues.get(property);
    const isRepeated = conditions.some((other) => other.property === property && other.matches !== matches);
    if (isRepeated || equal?.isArray) return undefined;
    if (!equal) add(property, { placeholder, isArray });
    else tests.push(matches(equal.placeholder));
  }
  if ([...values.keys()].some((name) => !totals.columns.includes(name))) return undefined;
  const total = totalSql(totals, values);
  return tests.length > 0 ? `(case when ${tests.join(' and ')} then ${total} else 0 end)` : total;
}
