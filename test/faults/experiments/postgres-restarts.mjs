import { sleep } from '../lib/waiting.mjs';

/** How long PostgreSQL stays away: long enough for every connection to be missed. */
const AWAY_MS = 300;

/** F2, F3: connections that PostgreSQL ends, one by one or all at once. */
export default async function postgresRestarts(lab) {
  const shop = await lab.shop();
  for (const [name, did, rounds, fault] of FAULTS) {
    await lab.row(name, did, async (row) => {
      row.times = rounds;
      await lab.mistreat(row, shop, async (load) => {
        for (let round = 0; round < rounds; round++) await fault(shop.database, load, lab);
      });
    });
  }
}

const FAULTS = [
  ['postgres-terminate', 'pg_terminate_backend of all connections, every 100 ms', 30, terminate],
  ['postgres-kill-backend', 'kill -9 of one backend: PostgreSQL restarts all', 2, killBackend],
  ['postgres-stop-fast', 'PostgreSQL stopped fast and started', 2, stopBy('SIGINT')],
  ['postgres-stop-immediate', 'PostgreSQL stopped at once and started', 2, stopBy('SIGQUIT')],
  ['postgres-kill-postmaster', 'kill -9 of the postmaster, and started', 2, stopBy('SIGKILL')],
];

async function terminate(database) {
  await database.endConnections();
  await sleep(100);
}

async function killBackend(database, load, lab) {
  await load.progress();
  const { pid } = lab.random.pick(await database.connections());
  process.kill(pid, 'SIGKILL');
  await sleep(AWAY_MS);
  // Recovered when it takes connections again, which is when the fault is lifted.
  await database.cluster.untilAnswering();
}

function stopBy(signal) {
  return async ({ cluster }) => {
    await cluster.stop(signal);
    await sleep(AWAY_MS);
    await cluster.start();
  };
}
