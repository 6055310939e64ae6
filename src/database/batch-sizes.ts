import { Histogram, SIZES } from '../telemetry/histogram.js';

/** How many keys, pages or new rows each batch had, in all of the process; `undefined` while nobody asks. */
export const batchSizes: { histogram: Histogram | undefined } = { histogram: undefined };

/** Counts batches from now on. */
export function countBatches(): Histogram {
  return (batchSizes.histogram ??= new Histogram(SIZES));
}
