export interface Comparison {
  /** The two pieces of work. Each gets the number of times that it has been done before. */
  one: (round: number) => Promise<unknown>;
  other: (round: number) => Promise<unknown>;
  /** How often each piece is done per measurement. */
  rounds: number;
  /** The bounds within which the ratio counts as equal. */
  from: number;
  to: number;
}

const MEASUREMENTS = 4;

/**
 * How many times as long the first piece of work takes as the second: the ratio of the medians of alternating
 * runs. Other work on the machine may distort a measurement, so one out of bounds is repeated. Four of them
 * are not a coincidence.
 */
export async function ratioOfDurations({ one, other, rounds, from, to }: Comparison): Promise<number> {
  let ratio = NaN;
  for (let measurement = 0; measurement < MEASUREMENTS; measurement++) {
    const [ones, others]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      ones.push(await durationOf(() => one(round)));
      others.push(await durationOf(() => other(round)));
    }
    ratio = median(others) / median(ones);
    if (ratio > from && ratio < to) break;
  }
  return ratio;
}

async function durationOf(run: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await run();
  return performance.now() - begin;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
