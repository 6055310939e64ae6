export interface Count {
  readonly hits: number;
  readonly msLeft: number;
}

/** Counts by key in windows that start with a key's first hit, in O(1). Returns no promise where memory is enough. */
export interface Counter {
  /** Counts hits of a key, all of them or, where that is more than `most`, none. @returns the count with them */
  hit(key: string, times?: number, most?: number): Count | Promise<Count>;
  peek(key: string): Count | Promise<Count>;
}

interface Window {
  hits: number;
  endsAt: number;
}

/** Whole milliseconds, so that differences are exact. */
const wholeMs = (): number => Math.floor(performance.now());

/**
 * Counts in memory, with one look-up a hit. There are two generations of at most `maxKeys` keys each: the older one is
 * dropped when the younger one is full or a window old. If more keys are in use, those that were silent for longest
 * are forgotten first. The clock is monotonic: setting the wall clock moves no window.
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

  hit(key: string, times = 1, most = Infinity): Count {
    const now = this.now();
    const window = this.find(key, now);
    if (window.endsAt <= now) {
      window.hits = 0;
      window.endsAt = now + this.windowMs;
    }
    const hits = window.hits + times;
    if (hits <= most) window.hits = hits;
    return { hits, msLeft: window.endsAt - now };
  }

  peek(key: string): Count {
    const now = this.now();
    const window = this.young.get(key) ?? this.old.get(key);
    if (!window || window.endsAt <= now) return { hits: 0, msLeft: this.windowMs };
    return { hits: window.hits, msLeft: window.endsAt - now };
  }

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
