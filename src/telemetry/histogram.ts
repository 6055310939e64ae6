/** Upper bounds in seconds for what takes from a fraction of a millisecond to a timeout. */
export const SECONDS: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** Upper bounds for how many things are done at once. */
export const SIZES: readonly number[] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Counts values by size, as plain numbers: an observation allocates nothing. */
export class Histogram {
  /** How many values lie in each bucket, not cumulated; the last one is for those above all bounds. */
  readonly counts: number[];
  sum = 0;

  /** @param bounds the upper bound of each bucket, inclusive, in ascending order */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > (bounds[bucket] as number)) bucket++;
    counts[bucket] = (counts[bucket] as number) + 1;
    this.sum += value;
  }
}
