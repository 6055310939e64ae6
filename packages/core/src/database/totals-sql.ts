/**
 * Declares totals: triggers maintain the number of rows of a table, overall and for each value of some columns, so that
 * lists need not count rows.
 *
 * `count(*)` reads every row. With 100,000 rows, it takes more time than the rest of a list request. A counter in one
 * row would be fast to read, but every write would lock this row, so writers would wait for each other. Therefore there
 * are two tables. Triggers append each change to the table of changes, for which no writer has to wait. The table of
 * totals holds sums. A total is a sum plus the changes that are not yet included in the sum. About one write in 400
 * adds the changes of ended transactions to the sums.
 *
 * Each change has the id of its transaction. In the table of totals, the row with the key `folded` holds a transaction
 * id. All changes with lower ids are included in the sums. Readers search the index of the changes from this id on.
 * They therefore stay fast while a long `pg_dump` prevents PostgreSQL from removing the deleted rows of old changes.
 */
export interface Totals {
  /** The name of the table in the database, not of its entity. */
  readonly table: string;
  /**
   * The columns to count by, with their names in the database. There is a total for each combination of values of all
   * or some of these columns.
   */
  readonly columns: readonly string[];
}

/** Limited, because each further column doubles the number of sums for one change. */
export const MAX_TOTALS_COLUMNS = 4;

export const totalsTable = (table: string): string => `${table}_totals`;
export const changesTable = (table: string): string => `${table}_total_changes`;

export const quoteName = (name: string): string => `"${name}"`;
export const columnList = (columns: readonly string[], ...others: string[]): string =>
  [...columns.map(quoteName), ...others].join(', ');

/** The id of the oldest transaction that was running when the statement began. */
export const OLDEST_RUNNING_SQL = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/**
 * Returns the SQL for the transaction id below which all changes are included in the sums. The id is 0 in a restored
 * database, because its transaction ids begin again.
 */
export const foldedSql = (table: string): string =>
  `coalesce((select total."n" from ${quoteName(totalsTable(table))} as total ` +
  `where total."key" = 'folded' and total."n" <= ${OLDEST_RUNNING_SQL}), 0)`;

/** The placeholder of a value to count by, or of an array of distinct values. */
export interface CountedValue {
  readonly placeholder: string;
  readonly isArray: boolean;
}

/**
 * Builds the SQL expression for the number of rows that have the given values.
 * @param values the values by column. A column that is missing here may have any value
 */
export function totalSql({ table, columns }: Totals, values: ReadonlyMap<string, CountedValue>): string {
  const summedUp = summedUpSql({ table, columns }, values);
  const terms = [...values].map(
    ([name, { placeholder, isArray }]) =>
      ` and change.${quoteName(name)} = ${isArray ? `any(${placeholder})` : placeholder}`,
  );
  return (
    `(coalesce((${summedUp}), 0) + ` +
    `coalesce((select sum(change."n") from ${quoteName(changesTable(table))} as change ` +
    `where change."xid" >= ${foldedSql(table)}${terms.join('')}), 0))`
  );
}

/**
 * Builds the SQL for the part of a total that is included in the sums. The key of a sum is a JSON array, as
 * `sumUpSql()` writes it. Its first item is a number with a bit for each column. The bit is set if the column may have
 * any value. The other items are the values of the columns, with `null` for any value. For an array of values, the sums
 * of several keys are added up.
 */
function summedUpSql({ table, columns }: Totals, values: ReadonlyMap<string, CountedValue>): string {
  const mask = columns.reduce((bits, name) => bits * 2 + (values.has(name) ? 0 : 1), 0);
  const parts = columns.map((name) => {
    const value = values.get(name);
    return value?.isArray ? quoteName(name) : (value?.placeholder ?? 'null');
  });
  // A subselect computes the key only once. If the table is so small that PostgreSQL does not use its index,
  // `jsonb_build_array()` would otherwise run for each row, because it is not immutable.
  const key = `select jsonb_build_array(${[mask, ...parts].join(', ')})::text`;
  const sums = `from ${quoteName(totalsTable(table))} as total where total."key" =`;
  const unnested = [...values]
    .filter(([, { isArray }]) => isArray)
    .map(([name, { placeholder }]) => `unnest(${placeholder}) as ${quoteName(name)}`);
  return unnested.length === 0
    ? `select total."n" ${sums} (${key})`
    : `select sum(total."n") ${sums} any(array(${key} from ${unnested.join(', ')}))`;
}
