import { EntityTable } from '../database/entity-table.js';
import { MAX_TOTALS_COLUMNS, Totals, totalSql } from '../database/totals-sql.js';
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
  { totals, totalsByTriggers, only }: ListDefinition,
  table: EntityTable,
): Totals | undefined {
  if (!totals || totalsByTriggers === false) return undefined;
  if (only) throw new Error('cannot be combined with `only`: totals count all rows of a table');
  if (totals.length > MAX_TOTALS_COLUMNS)
    throw new Error(`must name at most ${MAX_TOTALS_COLUMNS} properties (got ${totals.length})`);
  const columns = totals.map((property) => {
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
export function listTotalSql(
  table: EntityTable,
  { definition, scope }: ParsedListQuery,
  where: ListSql,
): string {
  const { equalValues, rowFilter } = where;
  const count = (rows: string): string => `(select count(*)::float8 ${rows})`;
  const totals = resolveTotals(definition, table);
  const isKept = [...(equalValues?.keys() ?? [])].every((property) => definition.totals?.includes(property));
  if (!totals || !equalValues || !isKept || scope?.anyOf) return count(fromWhere(table, where));
  const values = new Map(
    [...equalValues].map(([property, value]) => [unquoteName(table.column(property).name), value]),
  );
  const total = totalSql(totals, values);
  const { excepted = [] } = rowFilter ?? {};
  if (excepted.length === 0) return `(${total})::float8`;
  // The caller may see all rows except a few. Count the rows that they may not see, and subtract them.
  const hidden = fromWhere(table, { ...where, rowFilter: undefined }, [`(${excepted.join(' or ')})`]);
  return `(${total} - ${count(hidden)})::float8`;
}
