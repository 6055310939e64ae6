export interface Comparison {
  /** What each of the two does, given how often it was done before. */
  one: (round: number) => Promise<unknown>;
  other: (round: number) => Promise<unknown>;
  /** How often each is done for one measurement. */
  rounds: number;
  /** The bounds of the ratio that count as alike. */
  from: number;
  to: number;
}

const MEASUREMENTS = 4;

/**
 * How many times as long as the one the other takes: the ratio of the medians, of two that are done in turn. Beside
 * other work a measurement may fail, so that one out of bounds is repeated; four of them are no chance.
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
