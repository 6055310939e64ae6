import { EntityTable } from '../database/entity-table.js';
import { MAX_TOTALS_COLUMNS, Totals, totalSql } from '../database/totals-sql.js';
import { ListDefinition } from './list-definition.js';
import { ParsedListQuery } from './list-query.js';
import { fromWhere, ListSql } from './list-sql.js';

/** Types whose values are short, and equal exactly if their texts are equal. A name in quotes is that of an enum. */
const COUNTABLE =
  /^(?:character varying|varchar|integer|int|smallint|bigint|bool(?:ean)?|uuid|date|"[^"]+")$/;

/**
 * The totals of a list that triggers maintain, or `undefined` if the list declares none and its rows are counted.
 * @throws Error for properties that totals cannot be kept by
 */
export function resolveTotals({ totals, only }: ListDefinition, table: EntityTable): Totals | undefined {
  if (!totals) return undefined;
  if (only) throw new Error('cannot be combined with `only`: totals are kept of all rows of a table');
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

/** The total of a query: looked up if triggers maintain it, else counted. Of type `float8`, which `pg` returns as a number. */
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
  // The caller may see all rows but a few: subtract those.
  const hidden = fromWhere(table, { ...where, rowFilter: undefined }, [`(${excepted.join(' or ')})`]);
  return `(${total} - ${count(hidden)})::float8`;
}
