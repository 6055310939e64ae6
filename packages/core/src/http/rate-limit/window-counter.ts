import { Count, Counter } from './counter.js';

interface Window {
  hits: number;
  endsAt: number;
}

/**
 * Counts in memory, in two generations of at most `maxKeys` keys each. When the younger generation is full, or as old
 * as a window, it replaces the older one, whose keys are forgotten. If too many keys are in use, the counter therefore
 * forgets the keys that were counted longest ago. It uses a monotonic clock, which changes of the system time do not
 * affect.
 */
export class WindowCounter implements Counter {
  private young = new Map<string, Window>();
  private old = new Map<string, Window>();
  private turnsAt = 0;

  /** @param blockMs how long a key that exceeds its limit is blocked. With 0, it is blocked until its window ends */
  constructor(
    private readonly windowMs: number,
    private readonly blockMs = 0,
    private readonly maxKeys = 100_000,
    /** Returns whole milliseconds, so that differences are exact. */
    private readonly now = (): number => Math.floor(performance.now()),
  ) {}

  hit(key: string, times = 1, limit = Infinity): Count {
    const now = this.now();
    if (now >= this.turnsAt || this.young.size >= this.maxKeys) {
      // Unless a generation becomes full, it lasts as long as the longest window or block. All windows of the dropped
      // generation have then ended.
      this.old = this.young;
      this.young = new Map();
      this.turnsAt = now + Math.max(this.windowMs, this.blockMs);
    }
    const known = this.young.get(key) ?? this.old.get(key);
    const window = known && known.endsAt > now ? known : { hits: 0, endsAt: now + this.windowMs };
    // A look-up (0 times) does not start a window.
    if (times > 0) {
      this.old.delete(key);
      this.young.set(key, window);
    }
    const hits = window.hits + times;
    const startsBlock = this.blockMs > 0 && hits > limit && window.hits <= limit;
    if (startsBlock) window.endsAt = now + this.blockMs;
    if (startsBlock || hits <= limit) window.hits = hits;
    return { hits, msLeft: window.endsAt - now };
  }

  get size(): number {
    return this.young.size + this.old.size;
  }
}
