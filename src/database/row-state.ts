import { Codec, TIMESTAMP } from '../fields/codec.js';

/** A column, as far as states need it. */
interface StateColumn {
  /** Quoted. */
  readonly name: string;
  readonly codec: Codec | undefined;
}

/**
 * Where a version of a row lies in its table, as PostgreSQL's `ctid`: the number of the block times 65,536, and the
 * number within it. Another version lies elsewhere; once this one is vacuumed, any row may lie there.
 */
export type Tid = number;

/** The block of a place. */
export const blockOf = (tid: Tid): number => Math.floor(tid / OF_BLOCK);

/** A place as PostgreSQL reads and writes it: `(block,number)`. */
export const tidText = (tid: Tid): string => `(${blockOf(tid)},${tid % OF_BLOCK})`;

function readTid(text: string): Tid {
  const comma = text.indexOf(',');
  return Number(text.slice(1, comma)) * OF_BLOCK + Number(text.slice(comma + 1, -1));
}

const OF_BLOCK = 65_536;

/**
 * The state of a row: a text that begins with its id and a space. It differs between any two versions of the row: it
 * holds the number of the transaction that wrote the version (`xmin`), and the time of the change, since numbers come
 * again after a failover, and after four thousand million transactions.
 */
export interface RowState {
  /** SQL for it, of the table's columns. Never null. */
  readonly sql: string;
  /** SQL that a statement of whole rows selects after their columns: what `of` and `tidOf` read. */
  readonly columns: string;
  /** How many columns that is. */
  readonly width: number;
  /** The select list of a subselect of the table, where whole rows or states are selected from one. */
  readonly inner: string;
  /** The state of the values of a whole row and of `columns`. */
  readonly of: (values: readonly unknown[]) => string;
  /** Where the version of the row lies, of the same values. */
  readonly tidOf: (values: readonly unknown[]) => Tid;
  /** Whether it differs between versions. If not, rows cannot be kept. */
  readonly isOfVersion: boolean;
}

/** How many columns states are put together of, beside those of the row. */
const WIDTH = 2;

/**
 * @param table quoted
 * @param properties of the values of a whole row
 * @param isKept whether rows are kept, which takes a database that has the system columns `xmin` and `ctid`; if not, a state is no
 *   more than the id and a space
 */
export function rowStateOf(
  table: string,
  columns: ReadonlyMap<string, StateColumn>,
  properties: readonly string[],
  isKept: boolean,
): RowState {
  const id = `${table}."id"`;
  const [idAt, columnAt] = [properties.indexOf('id'), properties.length];
  if (!isKept)
    return {
      sql: `${id} || ' '`,
      columns: 'null, null',
      width: WIDTH,
      inner: '*',
      of: (values) => `${String(values[idAt])} `,
      tidOf: () => 0,
      isOfVersion: false,
    };
  const xmin = `${table}."xmin"`;
  const ctid = `${table}."ctid"`;
  const inner = '*, "xmin", "ctid"';
  const tidOf = (values: readonly unknown[]): Tid => readTid(values[columnAt + 1] as string);
  const updatedAt = columns.get('updatedAt');
  const timeAt = properties.indexOf('updatedAt');
  if (updatedAt?.codec === TIMESTAMP && timeAt >= 0) {
    // The values of the row have the time already, as the text that SQL makes of it.
    const time = TIMESTAMP.raw.select(`${table}.${updatedAt.name}`);
    return {
      sql: `${id} || ' ' || ${xmin} || ' ' || coalesce(${time}, '')`,
      columns: `${xmin}, ${ctid}`,
      width: WIDTH,
      inner,
      of: (values) =>
        `${String(values[idAt])} ${String(values[columnAt])} ${(values[timeAt] as string | null) ?? ''}`,
      tidOf,
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
    columns: `${version}, ${ctid}`,
    width: WIDTH,
    inner,
    of: (values) => `${String(values[idAt])} ${String(values[columnAt])}`,
    tidOf,
    isOfVersion: true,
  };
}

/** The text of the id that a state is of. */
export const idOfState = (state: string): string => state.slice(0, state.indexOf(' '));
