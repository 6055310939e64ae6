import { setTimeout as sleep } from 'node:timers/promises';

/** A test that waits for an event fails late, not early. */
const LEAST_MS = 30_000;

/**
 * Asks again and again until the answer is the one that is waited for.
 *
 * @param withinMs how long that may take, 30 s at least
 * @throws Error with the last answer where it does not come
 */
export async function eventually<T>(ask: () => Promise<T>, expected: T, withinMs: number): Promise<void> {
  const deadline = performance.now() + Math.max(withinMs, LEAST_MS);
  let answer = await ask();
  while (answer !== expected && performance.now() < deadline) {
    await sleep(25);
    answer = await ask();
  }
  if (answer !== expected) {
    throw new Error(
      `got ${String(answer)} after ${Math.max(withinMs, LEAST_MS)} ms, expected ${String(expected)}`,
    );
  }
}
