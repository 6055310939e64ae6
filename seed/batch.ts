import type { Batch } from '@plinth/dev/seed';

const SPAN_MS = 2 * 365 * 24 * 3600 * 1000;

/** Returns the times of one row of a batch. The rows of a run cover the past two years, the oldest row first. */
export function times(
  { made, count }: Batch<unknown>,
  index: number,
): { createdAt: string; updatedAt: string } {
  const createdAt = new Date(Date.now() - SPAN_MS * (1 - (made + index + 0.5) / count)).toISOString();
  return { createdAt, updatedAt: createdAt };
}

export const many = <Row>(size: number, row: (index: number) => Row): Row[] =>
  Array.from({ length: size }, (_, index) => row(index));
