/**
 * Random numbers that the same seed repeats (mulberry32). Concurrent work still interleaves at random, so a
 * seed repeats the choices, but not the whole run.
 */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 up to, but not including, 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `min` to `max`, both included. */
  integer(min, max) {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick(list) {
    return list[this.integer(0, list.length - 1)];
  }

  /** A key of an object, chosen with the probability of its weight. */
  weighted(weights) {
    let left = this.next() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
    for (const [name, weight] of Object.entries(weights)) if ((left -= weight) < 0) return name;
    return Object.keys(weights)[0];
  }

  /** A separate generator for a part of the run. */
  fork() {
    return new Random(this.integer(0, 2 ** 32 - 1));
  }
}
