/**
 * The number of rows of a table, in total and for each value of some columns, without counting them.
 *
 * `count(*)` reads every row: with 100,000 rows, it takes more time than the rest of a list request. A counter in one
 * row would be fast to read, but every write would lock it, so writers would wait for each other. So there are two
 * tables. Triggers append each change to the table of changes, which locks nothing. The table of totals holds the sums.
 * A total is the sum plus the changes since. About one write in 400 adds the changes of ended transactions to the sums.
 *
 * Each change has the id of its transaction. The row with the key `folded` holds the id below which all changes are
 * included in the sums. Readers begin at that id in the index, so they stay fast if a long `pg_dump` keeps PostgreSQL
 * from removing the rows of old changes.
 */
export interface Totals {
  /** The name in the database, like all names here. */
  readonly table: string;
  /** The columns to count by. There is a total for each combination of values of all or some of these columns. */
  readonly columns: readonly string[];
}

/** Each further column doubles the combinations that a write has to count. */
export const MAX_TOTALS_COLUMNS = 4;

export const totalsTable = (table: string): string => `${table}_totals`;
export const changesTable = (table: string): string => `${table}_total_changes`;

export const quoteName = (name: string): string => `"${name}"`;
export const columnList = (columns: readonly string[], ...others: string[]): string =>
  [...columns.map(quoteName), ...others].join(', ');

/** The id of the oldest transaction that was running when the statement began. */
export const OLDEST_RUNNING_SQL = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';

/** The changes below this id are in the sums. 0 in a restored database, whose transaction ids begin again. */
export const foldedSql = (table: string): string =>
  `coalesce((select total."n" from ${quoteName(totalsTable(table))} as total ` +
  `where total."key" = 'folded' and total."n" <= ${OLDEST_RUNNING_SQL}), 0)`;

/** The placeholder of a value to count by, or of an array of distinct values. */
export interface CountedValue {
  readonly placeholder: string;
  readonly isArray: boolean;
}

/**
 * Builds an SQL expression: the number of rows that have given values.
 * @param values by column; a column that is missing may have any value
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
 * The part of a total that has been summed up. Its key is a JSON array, as `sumUpSql()` writes it: a bit for each column,
 * set if the column may have any value, then the values of the columns, `null` for any. Arrays of values are several keys.
 */
function summedUpSql({ table, columns }: Totals, values: ReadonlyMap<string, CountedValue>): string {
  const mask = columns.reduce((bits, name) => bits * 2 + (values.has(name) ? 0 : 1), 0);
  const parts = columns.map((name) => {
    const value = values.get(name);
    return value?.isArray ? quoteName(name) : (value?.placeholder ?? 'null');
  });
  // A subselect makes the key once. The function, which is not immutable, would otherwise run for each row of a table
  // that is too small for its index.
  const key = `select jsonb_build_array(${[mask, ...parts].join(', ')})::text`;
  const sums = `from ${quoteName(totalsTable(table))} as total where total."key" =`;
  const unnested = [...values]
    .filter(([, { isArray }]) => isArray)
    .map(([name, { placeholder }]) => `unnest(${placeholder}) as ${quoteName(name)}`);
  return unnested.length === 0
    ? `select total."n" ${sums} (${key})`
    : `select sum(total."n") ${sums} any(array(${key} from ${unnested.join(', ')}))`;
}
