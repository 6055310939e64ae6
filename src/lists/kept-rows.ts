const kept = new WeakSet<readonly object[]>();

/** Marks the rows of a page as kept: other pages will probably show them. Who shows other rows makes another array. */
export function ofKept<Row extends object>(rows: Row[]): readonly Row[] {
  kept.add(rows);
  return Object.freeze(rows);
}

/** Whether the rows of a page are those that were marked as kept. */
export const areKept = (rows: readonly object[]): boolean => kept.has(rows);
