import { anyOfCondition, scopeConditions, ScopeSql } from '../database/row-scope.js';
import { Operand, Table } from '../database/table.js';
import { CountedValue, MAX_TOTALS_COLUMNS, Totals, totalSql } from '../database/totals-sql.js';
import { ListDefinition } from './list-definition.js';

/** Types whose values are equal exactly where they are written alike, and short. */
const COUNTABLE =
  /^(?:character varying|varchar|integer|int|smallint|bigint|bool(?:ean)?|uuid|date|"[^"]+")$/;

/** The totals of a list that triggers maintain; `undefined`: rows are counted. */
export function totalsOf({ totals, only }: ListDefinition, table: Table): Totals | undefined {
  if (!totals) return undefined;
  if (only) throw new Error('the list shows but a part of the table, which no totals are kept of');
  if (totals.length > MAX_TOTALS_COLUMNS) throw new Error(`takes at most ${MAX_TOTALS_COLUMNS} properties`);
  const columns = totals.map((property) => {
    const { name, type } = table.column(property);
    if (!COUNTABLE.test(type)) throw new Error(`rows cannot be counted by ${property}, of type ${type}`);
    return unquoted(name);
  });
  return { table: unquoted(table.name), columns };
}

const unquoted = (name: string): string => name.slice(1, -1);

/** What a query asks of rows, as SQL. */
export interface Asked {
  readonly conditions: readonly string[];
  /** The placeholders of the values that properties must have, if that is all of the conditions; else `null`. */
  readonly values: ReadonlyMap<string, CountedValue> | null;
  /** What rows are sorted by beside what the table has. */
  readonly operands: ReadonlyMap<string, Operand>;
  /** The rows that the caller may see; `undefined`: all of them. */
  readonly scope: ScopeSql | undefined;
}

/** The total of the rows that are asked for: one that is maintained, or a count. */
export function countedSql(
  table: Table,
  definition: ListDefinition,
  { conditions, values, scope }: Asked,
): string {
  const totals = totalsOf(definition, table);
  const isKept = [...(values?.keys() ?? [])].every((property) => definition.totals?.includes(property));
  if (!totals || !values || !isKept || scope?.anyOf)
    return countSql(table, [...conditions, ...(scope ? scopeConditions(scope) : [])]);
  const columns = new Map(
    [...values].map(([property, value]) => [unquoted(table.column(property).name), value]),
  );
  const { except = [] } = scope ?? {};
  const hidden = except.length > 0 ? ` - ${countSql(table, [...conditions, anyOfCondition(except)])}` : '';
  return `(${totalSql(totals, columns)}${hidden})::float8`;
}

/** As `float8`, which the driver gives as a number, and which holds more rows than `integer`. */
const countSql = (table: Table, conditions: readonly string[]): string =>
  `(select count(*)::float8 from ${table.name}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''})`;
