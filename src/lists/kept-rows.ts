const arraysOfKeptRows = new WeakSet<readonly object[]>();

/**
 * Marks the rows of a page as kept, so that their JSON is remembered: other pages will probably show them. The array is
 * frozen: a handler that shows other rows makes an array of its own, which has no mark.
 */
export function markKept<Row extends object>(rows: Row[]): readonly Row[] {
  arraysOfKeptRows.add(rows);
  return Object.freeze(rows);
}

/** Whether the rows of a page are marked as kept. */
export const areKept = (rows: readonly object[]): boolean => arraysOfKeptRows.has(rows);
