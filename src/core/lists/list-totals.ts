import { anyOfCondition, exceptConditions, scopeConditions, ScopeSql } from '../database/row-scope.js';
import { Table } from '../database/table.js';
import { MAX_TOTALS_COLUMNS, Totals, totalSql } from '../database/totals-sql.js';
import { ListDefinition } from './list-definition.js';

/** Types whose values are equal exactly where they are written alike, and short. */
const COUNTABLE =
  /^(?:character varying|varchar|integer|int|smallint|bigint|bool(?:ean)?|uuid|date|"[^"]+")$/;

/** SQL that a list's total is computed from. */
export interface Counting {
  readonly table: Table;
  /** The conditions of the filters. */
  readonly conditions: readonly string[];
  /** The placeholders of the properties that must have a value; `null`: something else is asked for as well. */
  readonly values: ReadonlyMap<string, string> | null;
  readonly scope?: ScopeSql | undefined;
}

/**
 * The totals of a list that triggers maintain; `undefined`: rows are counted.
 *
 * @throws Error for properties that cannot be counted by
 */
export function totalsOf({ totals, only }: ListDefinition, table: Table): Totals | undefined {
  if (!totals) return undefined;
  if (only) throw new Error('the list shows but a part of the table, which no totals are kept of');
  if (totals.length > MAX_TOTALS_COLUMNS) throw new Error(`takes at most ${MAX_TOTALS_COLUMNS} properties`);
  const columns = totals.map((property) => {
    const { name, type } = table.column(property);
    if (!COUNTABLE.test(type)) throw new Error(`rows cannot be counted by ${property}, of type ${type}`);
    return unquoted(name);
  });
  const { deletedAt } = table;
  return { table: unquoted(table.name), columns, deletedAt: deletedAt && unquoted(deletedAt) };
}

const unquoted = (name: string): string => name.slice(1, -1);

/** The list's total, as an expression. */
export function countedSql(
  counting: Counting,
  totals: Totals | undefined,
  properties: readonly string[] = [],
): string {
  const { table, conditions, values, scope } = counting;
  const base = totals && values && baseOf(values, properties, scope);
  if (!base) return countSql(table, [...conditions, ...(scope ? scopeConditions(scope) : [])]);
  const columns = new Map(
    [...base.values].map(([property, value]) => [unquoted(table.column(property).name), value]),
  );
  const within = [...conditions, ...base.conditions];
  const excepted =
    scope && scope.except.length > 0 ? [anyOfCondition(scope.except.map((term) => [term]))] : [];
  const hidden = excepted.length > 0 ? ` - ${countSql(table, [...within, ...excepted])}` : '';
  const added = base.added
    ? ` + ${countSql(table, [...conditions, ...base.added, ...(scope ? exceptConditions(scope) : [])])}`
    : '';
  return `(${totalSql(totals, columns)}${hidden}${added})::float8`;
}

interface Base {
  /** The placeholders of the values whose total is kept. */
  readonly values: ReadonlyMap<string, string>;
  /** The conditions beside the filters. */
  readonly conditions: readonly string[];
  /** The conditions on the rows that come on top of it; `undefined`: there are none. */
  readonly added?: readonly string[] | undefined;
}

/** The largest part of what is asked for whose total is kept. */
function baseOf(
  values: ReadonlyMap<string, string>,
  properties: readonly string[],
  scope: ScopeSql | undefined,
): Base | undefined {
  if (![...values.keys()].every((property) => properties.includes(property))) return undefined;
  const { anyOf = null } = scope ?? {};
  if (anyOf === null) return { values, conditions: [] };
  // The rows of one owner, which grants add others to.
  const own = anyOf.find(
    ([term, ...others]) =>
      term &&
      others.length === 0 &&
      term.ids.length === 1 &&
      properties.includes(term.property) &&
      !values.has(term.property),
  );
  const [term] = own ?? [];
  if (!term) return undefined;
  const others = anyOf.filter((alternative) => alternative !== own);
  const added = [`(${term.sql}) is not true`, anyOfCondition(others)];
  return {
    values: new Map([...values, [term.property, term.placeholder]]),
    conditions: [term.sql],
    added: others.length > 0 ? added : undefined,
  };
}

/** As `float8`, which the driver gives as a number, and which holds more rows than `integer`. */
const countSql = (table: Table, conditions: readonly string[]): string =>
  `(select count(*)::float8 from ${table.name}${conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''})`;
