import { Codec } from '../fields/codec.js';

/** A column, as far as states need it. */
interface StateColumn {
  /** Quoted. */
  readonly name: string;
  readonly codec: Codec | undefined;
}

/**
 * The state of a row: a text that begins with the id and a space, and that no other state of the row has ever had. It is
 * what PostgreSQL itself tells one version of a row from the next by, the number of the transaction that wrote it
 * (`xmin`), and the time of the change: transactions that a failover lost may have had the same numbers as those that
 * followed.
 */
export interface RowState {
  /** SQL for it, of the table's columns. Never null. */
  readonly sql: string;
  /** What a statement of whole rows selects after their columns, so that it can be put together of their values. */
  readonly column: string;
  /** What a subselect selects of the table from which whole rows or states are selected. */
  readonly inner: string;
  /** The state of the values of a whole row and of `column`. */
  readonly of: (values: readonly unknown[]) => string;
}

/**
 * @param table quoted
 * @param properties of the values of a whole row
 * @param isKept whether rows are kept, which takes a database that has the system column `xmin`; if not, a state is no
 *   more than the id
 */
export function rowStateOf(
  table: string,
  columns: ReadonlyMap<string, StateColumn>,
  properties: readonly string[],
  isKept: boolean,
): RowState {
  const id = `${table}."id"`;
  const idAt = properties.indexOf('id');
  if (!isKept)
    return { sql: `${id}::text`, column: 'null', inner: '*', of: (values) => String(values[idAt]) };
  const xmin = `${table}."xmin"`;
  const { name, codec } = columns.get('updatedAt') ?? {};
  const time =
    name === undefined ? undefined : (codec?.raw?.select(`${table}.${name}`) ?? `${table}.${name}`);
  const [xminAt, timeAt] = [properties.length, properties.indexOf('updatedAt')];
  return {
    sql: `${id} || ' ' || ${xmin} || ' '${time === undefined ? '' : ` || coalesce((${time})::text, '')`}`,
    column: xmin,
    inner: '*, "xmin"',
    of: (values) => {
      const changed = timeAt < 0 ? null : (values[timeAt] as string | null);
      return `${String(values[idAt])} ${String(values[xminAt])} ${changed ?? ''}`;
    },
  };
}

/** The text of the id that a state is of. */
export const idOfState = (state: string): string => state.slice(0, state.indexOf(' '));
