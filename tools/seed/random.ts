/**
 * Random numbers that repeat: the same seed and stream give the same numbers on every machine. Not for secrets.
 *
 * @example
 * const random = new Random(1, 'products');
 * random.integer(1, 6);
 */
export class Random {
  private state: number;

  /** @param stream keeps what draws from one seed apart: more numbers for one reader change nothing for another */
  constructor(seed: number, stream = '') {
    this.state = hash(`${seed}/${stream}`);
  }

  /** From 0, included, to 1, not included (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** Whether something happens that does so with this probability, from 0 to 1. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of some; an item that is there twice comes twice as often. */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('there is nothing to pick from');
    return items[this.integer(0, items.length - 1)] as T;
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value;
}
