import { Count, Counter } from './counter.js';
import { WindowCounter } from './window-counter.js';

/** The pause after a failure to answer, so that requests do not wait for one answer after the other. */
const PAUSE_MS = 1_000;

/**
 * A count that is kept elsewhere, for more than this process. While that does not answer, each process counts for
 * itself, from what it was told last.
 */
export abstract class FallbackCounter implements Counter {
  fallbacks = 0;
  private readonly own: WindowCounter;
  private pausedUntil = 0;
  /** Until when this process may know of hits that were not counted there. */
  private aheadUntil = 0;

  constructor(protected readonly windowMs: number) {
    this.own = new WindowCounter(windowMs);
  }

  hit(key: string): Count | Promise<Count> {
    return this.ask(key, true);
  }

  peek(key: string): Count | Promise<Count> {
    return this.ask(key, false);
  }

  get size(): number {
    return this.own.size;
  }

  /**
   * Counts there, or looks up.
   *
   * @param known what this process has counted for itself, where it may be more than what is known there
   * @returns `undefined` where it is known not to answer
   */
  protected abstract askShared(key: string, isHit: boolean, known: Count): Promise<Count> | undefined;

  private ask(key: string, isHit: boolean): Count | Promise<Count> {
    const now = performance.now();
    const known = now < this.aheadUntil ? this.own.peek(key) : { hits: 0, msLeft: this.windowMs };
    const answer = now < this.pausedUntil ? undefined : this.askShared(key, isHit, known);
    if (!answer) return this.askOwn(key, isHit);
    return answer.then(
      (count) => {
        if (count.hits > 0) this.own.raise(key, count);
        return count;
      },
      () => {
        this.pausedUntil = performance.now() + PAUSE_MS;
        return this.askOwn(key, isHit);
      },
    );
  }

  private askOwn(key: string, isHit: boolean): Count {
    if (!isHit) return this.own.peek(key);
    this.fallbacks++;
    this.aheadUntil = performance.now() + this.windowMs;
    return this.own.hit(key);
  }
}
