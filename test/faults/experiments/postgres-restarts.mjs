import { sleep } from '../lib/waiting.mjs';

/** How long PostgreSQL is stopped: long enough for a request on every connection to fail. */
const AWAY_MS = 300;

/** F2, F3: PostgreSQL ends connections, one by one or all at once. */
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
  ['postgres-terminate', 'pg_terminate_backend ends all connections every 100 ms', 30, terminate],
  ['postgres-kill-backend', 'kill -9 of one backend makes PostgreSQL restart all', 2, killBackend],
  ['postgres-stop-fast', 'PostgreSQL is stopped in mode fast and started again', 2, stopBy('SIGINT')],
  [
    'postgres-stop-immediate',
    'PostgreSQL is stopped in mode immediate and started again',
    2,
    stopBy('SIGQUIT'),
  ],
  [
    'postgres-kill-postmaster',
    'the postmaster is killed with kill -9 and started again',
    2,
    stopBy('SIGKILL'),
  ],
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
  // The fault is removed when PostgreSQL accepts connections again.
  await database.cluster.untilAnswering();
}

function stopBy(signal) {
  return async ({ cluster }) => {
    await cluster.stop(signal);
    await sleep(AWAY_MS);
    await cluster.start();
  };
}
