/** How many of the last rows count, about. */
const WEIGHT = 1 / 256;
/** Of so many reads one is kept, while few of them are repeated. */
const SAMPLE = 8;

/**
 * Whether rows are read again while they are kept. Where they are not, keeping them takes time for nothing: but for a
 * sample, which shows when that changes, they are left to pass.
 */
export class Reuse {
  private share = 0;
  private reads = 0;

  /** Counts a row that was asked for. */
  count(isKept: boolean): void {
    this.share += ((isKept ? 1 : 0) - this.share) * WEIGHT;
  }

  /**
   * Whether most rows were kept lately: it then takes less time to ask for their states, and to read by a second statement
   * those that are not.
   */
  get isHigh(): boolean {
    return this.share > 0.5;
  }

  /** Whether what is read now is to be kept. */
  isToBeKept(): boolean {
    return this.isHigh || this.reads++ % SAMPLE === 0;
  }
}
