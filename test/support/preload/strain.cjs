/**
 * Strains the process that loads it (`node --require`), each time it gets SIGUSR2: STRAIN=block blocks its event loop for
 * 4 seconds and says so first, STRAIN=heap fills its heap up to its bound and, the next time, empties it.
 */
const { writeSync } = require('node:fs');
const { getHeapSpaceStatistics, getHeapStatistics } = require('node:v8');

let ballast;

process.on('SIGUSR2', () => {
  if (process.env.STRAIN === 'block') {
    writeSync(2, 'blocks\n');
    const end = performance.now() + 4_000;
    while (performance.now() < end);
  } else if (ballast) {
    ballast = undefined;
  } else {
    ballast = [];
    fill();
  }
});

const OLD_GENERATION_LIMIT = getHeapStatistics().heap_size_limit - 48 * 1024 * 1024;

const share = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name: name }) => !name.startsWith('new_'))
    .reduce((bytes, { space_used_size: used }) => bytes + used, 0) / OLD_GENERATION_LIMIT;

/** Small steps, so that the collector keeps up. */
function fill() {
  if (!ballast || share() >= 0.93) return;
  for (let i = 0; i < 1_000; i++) ballast.push(new Array(64).fill(i));
  setTimeout(fill, 1);
}
