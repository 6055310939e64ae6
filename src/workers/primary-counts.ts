import { Counters } from '../http/rate-limit/counters.js';
import { WindowCounter } from '../http/rate-limit/window-counter.js';
import { Asked } from './messages.js';

/** The counts that workers share: in the primary, so that they outlive each worker. */
export class PrimaryCounts {
  private readonly counters = new Counters((_, windowMs) => new WindowCounter(windowMs));

  /** The number of keys. */
  get size(): number {
    let size = 0;
    for (const counter of this.counters) size += counter.size;
    return size;
  }

  /** Counts in the order in which it was asked. @returns hits and milliseconds left of each, by turns */
  count(asked: readonly Asked[]): number[] {
    return asked.flatMap(([name, windowMs, key, isHit]) => {
      const counter = this.counters.of(name, windowMs);
      const { hits, msLeft } = isHit ? counter.hit(key) : counter.peek(key);
      return [hits, msLeft];
    });
  }
}
