/** What is known of the rows of a page as they were read. */
interface ReadRows {
  /** The text of their states, in their order: see `RowState`. */
  readonly states: string;
  /** Whether they are kept, and will probably be shown again. */
  readonly areKept: boolean;
}

const read = new WeakMap<readonly object[], ReadRows>();

/** Remembers how rows were read. They are frozen: who shows anything else makes other rows, of which nothing is known. */
export function rememberRead<Row extends object>(rows: Row[], known: ReadRows): readonly Row[] {
  read.set(rows, known);
  return Object.freeze(rows);
}

/** How the rows of a page were read; `undefined`: they are not those that were read, or their states are not known. */
export const readOf = (rows: readonly object[]): ReadRows | undefined => read.get(rows);
