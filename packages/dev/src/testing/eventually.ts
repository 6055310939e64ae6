import { setTimeout as sleep } from 'node:timers/promises';

/** The minimum time to wait, so that tests do not fail on a slow machine. */
const LEAST_MS = 30_000;

/**
 * Calls `ask` repeatedly until it returns the expected value.
 *
 * @param withinMs how long to wait; values below 30 s are raised to 30 s
 * @throws Error with the last value if the expected one does not come in time
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
