import { setTimeout as sleep } from 'node:timers/promises';

import { PATIENCE } from './patience.js';

/**
 * Asks again and again until the answer is the one that is waited for.
 *
 * @param withinMs how long that may take on an idle machine
 * @throws Error with the last answer where it does not come
 */
export async function eventually<T>(ask: () => Promise<T>, expected: T, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs * PATIENCE;
  let answer = await ask();
  while (answer !== expected && performance.now() < deadline) {
    await sleep(25);
    answer = await ask();
  }
  if (answer !== expected) {
    throw new Error(`got ${String(answer)} after ${withinMs * PATIENCE} ms, expected ${String(expected)}`);
  }
}
