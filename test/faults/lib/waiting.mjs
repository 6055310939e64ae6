import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

export const secondsSince = (begin) => (performance.now() - begin) / 1000;

/**
 * Repeats a check until its result is neither null, undefined nor false, and returns the result.
 * @param options `seconds`: the time limit on an idle machine
 * @throws Error `what` if the time limit is exceeded
 */
export async function until(what, ask, { seconds = 20, everyMs = 20 } = {}) {
  const begin = performance.now();
  const bound = seconds * 3;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (secondsSince(begin) > bound) throw new Error(`${what}: not within ${bound} s`);
    await sleep(everyMs);
  }
}
