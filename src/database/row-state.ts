import { Codec, TIMESTAMP } from '../fields/codec.js';

/** A column, as far as states need it. */
interface StateColumn {
  /** Quoted. */
  readonly name: string;
  readonly codec: Codec | undefined;
}

/**
 * The state of a row: a text that begins with its id and a space. It differs between any two versions of the row: it
 * holds the number of the transaction that wrote the version (`xmin`), and the time of the change, since numbers come
 * again after a failover, and after four thousand million transactions.
 */
export interface RowState {
  /** SQL for it, of the table's columns. Never null. */
  readonly sql: string;
  /** SQL that a statement of whole rows selects after their columns, so that the state can be put together of values. */
  readonly column: string;
  /** The select list of a subselect of the table, where whole rows or states are selected from one. */
  readonly inner: string;
  /** The state of the values of a whole row and of `column`. */
  readonly of: (values: readonly unknown[]) => string;
  /** Whether it differs between versions. If not, rows cannot be kept. */
  readonly isOfVersion: boolean;
}

/**
 * @param table quoted
 * @param properties of the values of a whole row
 * @param isKept whether rows are kept, which takes a database that has the system column `xmin`; if not, a state is no
 *   more than the id and a space
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
    return {
      sql: `${id} || ' '`,
      column: 'null',
      inner: '*',
      of: (values) => `${String(values[idAt])} `,
      isOfVersion: false,
    };
  const xmin = `${table}."xmin"`;
  const inner = '*, "xmin"';
  const updatedAt = columns.get('updatedAt');
  const [columnAt, timeAt] = [properties.length, properties.indexOf('updatedAt')];
  if (updatedAt?.codec === TIMESTAMP && timeAt >= 0) {
    // The values of the row have the time already, as the text that SQL makes of it.
    const time = TIMESTAMP.raw.select(`${table}.${updatedAt.name}`);
    return {
      sql: `${id} || ' ' || ${xmin} || ' ' || coalesce(${time}, '')`,
      column: xmin,
      inner,
      of: (values) =>
        `${String(values[idAt])} ${String(values[columnAt])} ${(values[timeAt] as string | null) ?? ''}`,
      isOfVersion: true,
    };
  }
  // As text: the driver makes other values of some types.
  const version =
    updatedAt === undefined
      ? `${xmin}::text`
      : `${xmin} || ' ' || coalesce(${table}.${updatedAt.name}::text, '')`;
  return {
    sql: `${id} || ' ' || ${version}`,
    column: version,
    inner,
    of: (values) => `${String(values[idAt])} ${String(values[columnAt])}`,
    isOfVersion: true,
  };
}

/** The text of the id that a state is of. */
export const idOfState = (state: string): string => state.slice(0, state.indexOf(' '));
