import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

export const secondsSince = (begin) => (performance.now() - begin) / 1000;

/**
 * Asks until the answer is neither null, undefined nor false, and gives it.
 * @throws Error `what` where that takes longer than `seconds`
 */
export async function until(what, ask, { seconds = 20, everyMs = 20 } = {}) {
  const begin = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (secondsSince(begin) > seconds) throw new Error(`${what}: not within ${seconds} s`);
    await sleep(everyMs);
  }
}
