/** Numbers of rows that repositories have found outside transactions. */
interface RowCounts {
  /** Kept rows that were shown, of which only the states were read. */
  kept: number;
  /** Rows that were read whole, once for all requests that shared the statement. */
  read: number;
}

/** The counts of the whole process; `undefined` while nobody asks for them. */
let counts: RowCounts | undefined;

/** Starts to count rows, and gives the counts, which go on. */
export const countRows = (): Readonly<RowCounts> => (counts ??= { kept: 0, read: 0 });

export function countKept(rows: number): void {
  if (counts) counts.kept += rows;
}

export function countRead(rows: number): void {
  if (counts) counts.read += rows;
}
