import { Histogram, SIZES } from '../telemetry/histogram.js';

/** How many keys each batch of look-ups had, in all of the process; `undefined` while nobody asks. */
export const batchSizes: { histogram: Histogram | undefined } = { histogram: undefined };

/** Counts batches from now on. */
export function countBatches(): Histogram {
  return (batchSizes.histogram ??= new Histogram(SIZES));
}
