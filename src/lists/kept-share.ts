/** How many of the last rows count, about. */
const WEIGHT = 1 / 256;

/** How large a share of the rows that a list showed lately was kept already. */
export class KeptShare {
  private share = 0;

  count(isKept: boolean): void {
    this.share += ((isKept ? 1 : 0) - this.share) * WEIGHT;
  }

  /** Whether it takes less time to ask for the states of rows, and to read those that are not kept by a second statement. */
  get isHigh(): boolean {
    return this.share > 0.5;
  }
}
