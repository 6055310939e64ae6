import { WindowCounter } from '../../http/rate-limit/window-counter.js';
import { Asked } from '../../workers/messages.js';

/** More than any service has, unless a function of a limit makes up lengths of windows. */
const MAX_COUNTERS = 1_000;

/** The counts that workers share: in the primary, so that they outlive each worker. */
export class PrimaryCounts {
  private readonly counters = new Map<string, WindowCounter>();

  /** Counts in the order in which it was asked. @returns hits and milliseconds left of each, by turns */
  count(asked: readonly Asked[]): number[] {
    return asked.flatMap(([name, windowMs, key, isHit]) => {
      const counter = this.counter(name, windowMs);
      const { hits, msLeft } = isHit ? counter.hit(key) : counter.peek(key);
      return [hits, msLeft];
    });
  }

  private counter(name: string, windowMs: number): WindowCounter {
    const id = `${name} ${windowMs}`;
    let counter = this.counters.get(id);
    if (!counter) {
      counter = new WindowCounter(windowMs);
      const [oldest] = this.counters.keys();
      if (this.counters.size >= MAX_COUNTERS && oldest !== undefined) this.counters.delete(oldest);
      this.counters.set(id, counter);
    }
    return counter;
  }
}
