import { Count, Counter } from './counter.js';

interface Window {
  hits: number;
  endsAt: number;
}

/** In whole milliseconds, so that differences are exact. */
const wholeMs = (): number => Math.floor(performance.now());

/**
 * Counts by key in windows that start with a key's first hit. One look-up a hit, and memory for at most
 * `2 * maxKeys` keys however many there are: two generations, of which the older is dropped when the younger is
 * full or a window old. Where more than that many are counted at once, the longest silent are forgotten first.
 * By a monotonic clock: setting the wall clock moves no window.
 */
export class WindowCounter implements Counter {
  private young = new Map<string, Window>();
  private old = new Map<string, Window>();
  private turnsAt = 0;

  constructor(
    private readonly windowMs: number,
    private readonly maxKeys = 100_000,
    private readonly now: () => number = wholeMs,
  ) {}

  /** Counts one hit of a key. */
  hit(key: string): Count {
    const now = this.now();
    const window = this.find(key, now);
    if (window.endsAt <= now) {
      window.hits = 0;
      window.endsAt = now + this.windowMs;
    }
    window.hits++;
    return { hits: window.hits, msLeft: window.endsAt - now };
  }

  /** The count of a key as it is. */
  peek(key: string): Count {
    const now = this.now();
    const window = this.young.get(key) ?? this.old.get(key);
    if (!window || window.endsAt <= now) return { hits: 0, msLeft: this.windowMs };
    return { hits: window.hits, msLeft: window.endsAt - now };
  }

  /** How many keys are in memory. */
  get size(): number {
    return this.young.size + this.old.size;
  }

  private find(key: string, now: number): Window {
    if (now >= this.turnsAt || this.young.size >= this.maxKeys) {
      // A window outlives one turn at most: what is dropped at the second has ended, or was pushed out.
      this.old = this.young;
      this.young = new Map();
      this.turnsAt = now + this.windowMs;
    }
    let window = this.young.get(key);
    if (!window) {
      window = this.old.get(key) ?? { hits: 0, endsAt: 0 };
      this.old.delete(key);
      this.young.set(key, window);
    }
    return window;
  }
}
