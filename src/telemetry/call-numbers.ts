import { Histogram, SECONDS } from './histogram.js';

/** The numbers of the calls of one name to something outside of this process: a statement, a command. */
export interface CallNumbers {
  readonly seconds: Histogram;
  failures: number;
}

export const newCallNumbers = (): CallNumbers => ({ seconds: new Histogram(SECONDS), failures: 0 });
