import { Cluster } from '../lib/cluster.mjs';
import { Database } from '../lib/database.mjs';
import { stock } from '../lib/shop.mjs';
import { sleep } from '../lib/waiting.mjs';

/**
 * Whoever runs PostgreSQL starts it again. Its own restart after a crash may stand still for good where the disk is
 * full: a postmaster that refuses all connections, without a process that recovers (18.4).
 */
const SETTINGS = { shared_buffers: '16MB', restart_after_crash: 'off' };

/** The disk of PostgreSQL is full, and then it is not. */
export default {
  name: 'disk-full',
  about: 'the disk of PostgreSQL full: tables do not grow, and its log ends (root)',
  async run(lab) {
    const shop = await open(lab);
    const { cluster } = shop.database;
    const seconds = lab.isLong ? 30 : 3;
    await lab.row('disk-full-tables', `no byte left for ${seconds} s`, (row) =>
      lab.mistreat(row, shop, () => full(shop, seconds)),
    );
    await lab.row('disk-full-log', 'no byte left for the log: PostgreSQL crashes and is started', (row) =>
      lab.mistreat(row, shop, async () => {
        await full(shop, 2, () => cluster.query('postgres', 'select pg_switch_wal()').catch(() => undefined));
        if (cluster.isRunning) await cluster.untilAnswering();
        else await cluster.start();
      }),
    );
  },
};

async function open(lab) {
  const disk = lab.smallDisk(192);
  const cluster = await Cluster.create(lab.scope, { place: disk.path, settings: SETTINGS });
  const database = await Database.create(cluster, lab.scope);
  const stocking = await lab.service({ DATABASE_URL: database.url });
  await stock(stocking);
  await stocking.stop();
  const shop = await lab.shop({}, { database });
  return Object.assign(shop, { disk });
}

async function full({ disk }, seconds, meanwhile) {
  disk.fill();
  await meanwhile?.();
  await sleep(seconds * 1000);
  disk.free();
}
