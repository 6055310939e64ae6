/**
 * Totals that are read without counting: how many rows a table has, in all and by the values of some columns. Triggers
 * append what each statement changes to a table of changes, so that no writer waits for another; a total is what was
 * summed up, and the changes since. One write of some hundreds sums up what transactions that have ended changed.
 *
 * Changes hold the id of their transaction. The id below which all are summed up is noted under the key `folded`:
 * readers begin there in the index, however long a dump keeps PostgreSQL from removing the rows before.
 */
export interface Totals {
  /** As the database names it, as all names here. */
  readonly table: string;
  /** The columns that rows are counted by: each combination of values, of all of these columns or of some. */
  readonly columns: readonly string[];
}

/** More columns would be more combinations than writes are worth. */
export const MAX_TOTALS_COLUMNS = 4;

export const totalsTable = (table: string): string => `${table}_totals`;
export const changesTable = (table: string): string => `${table}_total_changes`;

export const quoteName = (name: string): string => `"${name}"`;
export const columnList = (columns: readonly string[], ...others: string[]): string =>
  [...columns.map(quoteName), ...others].join(', ');

/** The id of the oldest transaction that had not ended when the statement began. */
export const OLDEST_RUNNING_SQL = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/** The changes below this are summed up. A database restored from a dump counts its transactions anew. */
export const foldedSql = (table: string): string =>
  `coalesce((select total."n" from ${quoteName(totalsTable(table))} as total ` +
  `where total."key" = 'folded' and total."n" <= ${OLDEST_RUNNING_SQL}), 0)`;

/** The placeholder of a value that rows are counted by, or of an array of several, each of which is there once. */
export interface CountedValue {
  readonly placeholder: string;
  readonly isArray: boolean;
}

/** The total of the rows that have some values. @param values by column; others may have any value */
export function totalSql({ table, columns }: Totals, values: ReadonlyMap<string, CountedValue>): string {
  const mask = columns.reduce((bits, name) => bits * 2 + (values.has(name) ? 0 : 1), 0);
  const arrays = [...values].filter(([, { isArray }]) => isArray);
  const partOf = (name: string, value = values.get(name)): string =>
    value?.isArray ? quoteName(name) : (value?.placeholder ?? 'null');
  const key = [String(mask), ...columns.map((name) => partOf(name))].join(', ');
  const terms = [...values].map(
    ([name, { placeholder, isArray }]) =>
      ` and change.${quoteName(name)} = ${isArray ? `any(${placeholder})` : placeholder}`,
  );
  // A subselect is made once; a function that is not immutable, for each row of a table that is too small for its
  // index.
  const made = `select jsonb_build_array(${key})::text`;
  const each = arrays.map(([name, { placeholder }]) => `unnest(${placeholder}) as ${quoteName(name)}`);
  const [sum, keys] =
    arrays.length > 0
      ? ['sum(total."n")', `any(array(${made} from ${each.join(', ')}))`]
      : ['total."n"', `(${made})`];
  return (
    `(coalesce((select ${sum} from ${quoteName(totalsTable(table))} as total where total."key" = ${keys}), 0) + ` +
    `coalesce((select sum(change."n") from ${quoteName(changesTable(table))} as change ` +
    `where change."xid" >= ${foldedSql(table)}${terms.join('')}), 0))`
  );
}
