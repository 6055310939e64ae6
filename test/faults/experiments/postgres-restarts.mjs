import { sleep } from '../lib/waiting.mjs';

/** F2, F3: connections that PostgreSQL ends, one by one or all at once. */
export default {
  name: 'postgres-restarts',
  about: 'connections ended by PostgreSQL, and PostgreSQL stopped, crashed and killed (F2, F3)',
  async run(lab) {
    const shop = await lab.shop();
    for (const [name, did, shortRounds, longRounds, fault] of FAULTS) {
      await lab.row(name, did, async (row) => {
        row.times = lab.isLong ? longRounds : shortRounds;
        await lab.mistreat(row, shop, async (load) => {
          for (let round = 0; round < row.times; round++) await fault(shop.database, load, lab);
        });
      });
    }
  },
};

/** How long PostgreSQL stays away: long enough for every connection to be missed. */
const AWAY_MS = 300;

const FAULTS = [
  ['postgres-terminate', 'pg_terminate_backend of all connections, every 100 ms', 30, 600, terminate],
  ['postgres-kill-backend', 'kill -9 of one backend: PostgreSQL restarts all', 2, 20, killBackend],
  ['postgres-stop-fast', 'PostgreSQL stopped fast and started', 2, 20, (database) => stop(database, 'fast')],
  [
    'postgres-stop-immediate',
    'PostgreSQL stopped at once and started',
    2,
    20,
    (database) => stop(database, 'immediate'),
  ],
  ['postgres-kill-postmaster', 'kill -9 of the postmaster, and started', 2, 20, killPostmaster],
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

async function stop({ cluster }, mode) {
  await cluster.stop(mode);
  await sleep(AWAY_MS);
  await cluster.start();
}

async function killPostmaster({ cluster }) {
  await cluster.killPostmaster();
  await sleep(AWAY_MS);
  await cluster.start();
}
