/** The weight of one row: about the last 256 rows decide. */
const WEIGHT = 1 / 256;
/** One read in this many is kept while few are repeated. */
const SAMPLE = 8;

/**
 * Measures whether kept rows are read again. If they are not, keeping them wastes time: only a sample is kept, which
 * shows when that changes.
 */
export class Reuse {
  private share = 0;
  private reads = 0;

  /** Counts a row that was asked for, and whether it was kept. */
  count(isKept: boolean): void {
    this.share += ((isKept ? 1 : 0) - this.share) * WEIGHT;
  }

  /**
   * Whether most rows were kept lately: it is then faster to ask for the states, and to read what is not kept by a
   * second statement.
   */
  get isHigh(): boolean {
    return this.share > 0.5;
  }

  /** Decides whether the next read is kept. Each call counts as one read. */
  shouldKeepNext(): boolean {
    return this.isHigh || this.reads++ % SAMPLE === 0;
  }
}
