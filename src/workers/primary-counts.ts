import { Counters } from '../http/rate-limit/counters.js';
import { WindowCounter } from '../http/rate-limit/window-counter.js';
import { CountRequest } from './messages.js';

/** The counts that workers share: in the primary, so that they outlive each worker. */
export class PrimaryCounts {
  private readonly counters = new Counters((_, windowMs) => new WindowCounter(windowMs));

  /** The number of keys. */
  get size(): number {
    let size = 0;
    for (const counter of this.counters) size += counter.size;
    return size;
  }

  /** Counts in the order of the requests. @returns hits and milliseconds left of each, by turns */
  count(requests: readonly CountRequest[]): number[] {
    return requests.flatMap(([name, windowMs, key, isHit]) => {
      const counter = this.counters.of(name, windowMs);
      const { hits, msLeft } = isHit ? counter.hit(key) : counter.peek(key);
      return [hits, msLeft];
    });
  }
}
