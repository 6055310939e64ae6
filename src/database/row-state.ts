import { Codec, TIMESTAMP } from '../fields/codec.js';

/** The parts of a column that states need. */
interface StateColumn {
  /** Quoted. */
  readonly name: string;
  readonly codec: Codec | undefined;
}

/**
 * The place of a version of a row in its table, which is PostgreSQL's `ctid`, as one number: the number of the block
 * times 65,536, plus the number within the block. Other versions lie elsewhere. Once this one has been vacuumed, any
 * row may lie there.
 */
export type Tid = number;

/** The block of a place. */
export const blockOf = (tid: Tid): number => Math.floor(tid / NUMBERS_OF_BLOCK);

/** A place in PostgreSQL's notation: `(block,number)`. */
export const tidText = (tid: Tid): string => `(${blockOf(tid)},${tid % NUMBERS_OF_BLOCK})`;

function readTid(text: string): Tid {
  const comma = text.indexOf(',');
  return Number(text.slice(1, comma)) * NUMBERS_OF_BLOCK + Number(text.slice(comma + 1, -1));
}

const NUMBERS_OF_BLOCK = 65_536;

/**
 * The state of a row: a text that begins with the row's id and a space, and differs between any two versions of the
 * row. It holds the number of the transaction that wrote the version (`xmin`) and the time of the change, because
 * numbers come up again after a failover, and after four billion transactions.
 */
export interface RowState {
  /** The SQL expression, which is never null. */
  readonly sql: string;
  /** SQL that a statement of whole rows selects after their columns. `of` and `tidOf` read it. */
  readonly columns: string;
  /** The number of these columns. */
  readonly width: number;
  /** The select list of a subselect that whole rows or states are selected from. */
  readonly inner: string;
  /** The state of a row, from the values of a whole row and of `columns`. */
  readonly of: (values: readonly unknown[]) => string;
  /** The place of the row, from the same values. */
  readonly tidOf: (values: readonly unknown[]) => Tid;
  /** Whether states differ between versions. If not, rows cannot be kept. */
  readonly isOfVersion: boolean;
}

/** The number of columns beside those of the row that states are made of. */
const WIDTH = 2;

/**
 * @param table quoted
 * @param properties the properties that the values of a whole row stand for, in their order
 * @param isCached whether a cache keeps rows, which takes a database with the system columns `xmin` and `ctid`; if not,
 *   a state is the id and a space
 */
export function rowStateOf(
  table: string,
  columns: ReadonlyMap<string, StateColumn>,
  properties: readonly string[],
  isCached: boolean,
): RowState {
  const id = `${table}."id"`;
  const [idAt, columnAt] = [properties.indexOf('id'), properties.length];
  if (!isCached)
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
    // The row has the time already, as the same text.
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
  // As text, because the driver parses some types.
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

/** The id of the row that a state belongs to, as text. */
export const idOfState = (state: string): string => state.slice(0, state.indexOf(' '));
