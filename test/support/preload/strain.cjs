/**
 * Strains the process that loads it (`node --require`): SIGUSR2 blocks its event loop for 4 seconds, which it says first;
 * SIGALRM fills its heap up to its bound and, the next time, empties it.
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

/** Up to 0.85 of V8's limit, in steps that leave the event loop free; again where a collection has made room. */
async function fill(kept) {
  const { heap_size_limit: limit } = getHeapStatistics();
  for (;;) {
    // Emptied meanwhile.
    if (ballast !== kept) return;
    const isFull = getHeapStatistics().used_heap_size >= 0.85 * limit;
    if (!isFull) kept.push(new Array(MIB / 8).fill(0.5));
    await sleep(isFull ? 10 : 0);
  }
}
