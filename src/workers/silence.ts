/**
 * How many times as long a process may take that runs now and then only: a busy machine keeps it waiting for a core.
 */
const SPARSE_FACTOR = 10;

/**
 * How long nothing was heard of a process. What it does is asked for as well while it cannot speak yet: one that runs
 * is not silent, however long a busy machine keeps it waiting for a core. Times are in milliseconds of
 * `performance.now()`.
 */
export class Silence {
  private heardAt: number;
  /** The processor time that was used when it was last looked at, and when the process last spoke. */
  private usedMs = 0;
  private usedWhenHeardMs = 0;

  /**
   * @param since when the process was started
   * @param processorMs the processor time that it has used; `undefined`: unknown
   */
  constructor(
    private since: number,
    private readonly processorMs: () => number | undefined,
  ) {
    this.heardAt = since;
  }

  /** The process has spoken, or could not be heard. */
  end(now: number): void {
    this.since = now;
    this.heardAt = now;
    this.usedWhenHeardMs = this.usedMs;
  }

  /** The time since the process has spoken. */
  ms(now: number): number {
    return now - this.since;
  }

  /**
   * The time since the process has spoken or run. One that has run for longer than `spinningMs` without a word, or now
   * and then for ten times as long, does not get on, and is silent all the same.
   */
  msOfStart(now: number, spinningMs: number): number {
    const usedMs = this.processorMs() ?? this.usedMs;
    const hasRun = usedMs > this.usedMs;
    this.usedMs = usedMs;
    const isLong = now - this.heardAt > SPARSE_FACTOR * spinningMs;
    if (hasRun && !isLong && usedMs - this.usedWhenHeardMs <= spinningMs) this.since = now;
    return this.ms(now);
  }
}
