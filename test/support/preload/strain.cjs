/**
 * Strains the process that loads it (`node --require`), each time it gets SIGUSR2: STRAIN=block blocks its event loop for
 * 4 seconds and says so first, STRAIN=heap fills its heap up to its bound and, the next time, empties it.
 */
const { writeSync } = require('node:fs');
const { Session } = require('node:inspector/promises');
const { getHeapSpaceStatistics } = require('node:v8');

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
    void fill(ballast);
  }
});

const MIB = 1024 * 1024;
const OLD_GENERATION_LIMIT = /--max-old-space-size=(\d+)/.exec(process.execArgv.join(' '))?.[1] * MIB;

/** Until it is full of what cannot be reclaimed. */
async function fill(kept) {
  for (let missing = await missingBytes(); missing > 0; missing = await missingBytes())
    for (let i = 0; i < missing / MIB; i++) kept.push(new Array(MIB / 8).fill(0.5));
}

/** After a collection, which also moves what is young to the old generation. */
async function missingBytes() {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  const used = getHeapSpaceStatistics()
    .filter(({ space_name: name }) => !name.startsWith('new_'))
    .reduce((bytes, { space_used_size }) => bytes + space_used_size, 0);
  return 0.93 * OLD_GENERATION_LIMIT - used;
}
