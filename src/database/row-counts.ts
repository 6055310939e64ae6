/** How many rows repositories have shown, outside transactions. */
interface RowCounts {
  /** Of which only the states were read: the rows were kept. */
  kept: number;
  /** That were read whole. */
  read: number;
}

/** Of all of the process; `undefined` while nobody asks. */
let counts: RowCounts | undefined;

/** Counts rows from now on. */
export const countRows = (): Readonly<RowCounts> => (counts ??= { kept: 0, read: 0 });

export function countKept(rows: number): void {
  if (counts) counts.kept += rows;
}

export function countRead(rows: number): void {
  if (counts) counts.read += rows;
}
