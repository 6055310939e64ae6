/** Any row that others refer to. */
export interface ExistingRow {
  readonly id: number;
  /** In milliseconds since 1970. */
  readonly createdMs: number;
}

export interface ExistingProduct extends ExistingRow {
  readonly name: string;
  /** As `numeric(12,2)` shows it: always with two decimals. */
  readonly price: string;
}

/** Existing rows that new rows can refer to: each kind in the order of its creation. */
export interface Existing {
  readonly products: readonly ExistingProduct[];
  readonly users: readonly ExistingRow[];
}

export const NOTHING: Existing = { products: [], users: [] };

/** The properties that a generator gets of each kind, beside the id and the time. */
export const PROPERTIES: Readonly<Record<keyof Existing, readonly string[]>> = {
  products: ['name', 'price'],
  users: [],
};

/**
 * How many of these rows, counted from the first, were there at a time. All, where none was: somebody who adds orders
 * to users of today still wants them spread over the past.
 *
 * @param rows in the order of their creation
 */
export function countAt(rows: readonly ExistingRow[], timeMs: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] as ExistingRow).createdMs <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? rows.length : low;
}
