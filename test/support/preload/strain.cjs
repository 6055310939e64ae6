/**
 * Puts strain on the process that loads it (`node --require`). SIGUSR2 makes it print `blocks` and block its event loop for
 * 4 seconds. SIGALRM makes it fill its heap up to the limit and, the next time, empty it.
 */
const { writeSync } = require('node:fs');
const { setTimeout: sleep } = require('node:timers/promises');
const { getHeapStatistics } = require('node:v8');

let ballast;

process.on('SIGUSR2', () => {
  writeSync(2, 'blocks\n');
  const end = performance.now() + 4_000;
  while (performance.now() < end);
});

process.on('SIGALRM', () => {
  if (ballast) {
    ballast = undefined;
  } else {
    ballast = [];
    void fill(ballast);
  }
});

const MIB = 1024 * 1024;

/**
 * Fills the heap up to 0.85 of V8's limit, in steps that leave the event loop free. Refills it when a garbage collection
 * has made room.
 */
async function fill(kept) {
  const { heap_size_limit: limit } = getHeapStatistics();
  for (;;) {
    // The heap was emptied in the meantime.
    if (ballast !== kept) return;
    const isFull = getHeapStatistics().used_heap_size >= 0.85 * limit;
    if (!isFull) kept.push(new Array(MIB / 8).fill(0.5));
    await sleep(isFull ? 10 : 0);
  }
}
