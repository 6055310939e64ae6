import { join } from 'node:path';

import { EmbeddedDatabase } from '../lib/embedded.mjs';
import { stock, Shop } from '../lib/shop.mjs';
import { sleep, until } from '../lib/waiting.mjs';

/** As `npm start` runs it: no DATABASE_URL. */
const SETTINGS = { NODE_ENV: 'development', DATABASE_URL: undefined };

/** F9: the PostgreSQL that the service runs for itself is the service's to start again. */
export default {
  name: 'embedded',
  about: 'the embedded PostgreSQL killed, and its disk full (F9)',
  isQuiet: true,
  async run(lab) {
    const shop = await open(lab, {});
    await lab.row('embedded-killed', 'kill -9 of the embedded PostgreSQL (F9)', async (row) => {
      row.times = lab.isLong ? 10 : 1;
      await lab.mistreat(row, shop, (load) => kill(shop, load, row.times));
    });
    await lab.row('embedded-stopped', 'SIGTERM stops the embedded PostgreSQL too', (row) => stop(row, shop));
    await lab.row('embedded-disk-full', 'DATA_DIR full for 2 s, PostgreSQL crashing on it (F9)', (row) =>
      fillDataDir(lab, row),
    );
  },
};

async function open(lab, settings) {
  const service = await lab.service({ ...SETTINGS, ...settings });
  const database = new EmbeddedDatabase(service.settings.DATA_DIR ?? join(service.folder, 'data'), lab.scope);
  await stock(service);
  return new Shop(database, service).open();
}

async function kill(shop, load, times) {
  for (let round = 0; round < times; round++) {
    if (round > 0) await load.progress();
    shop.database.kill();
    await runsAgain(shop);
  }
}

async function runsAgain(shop) {
  try {
    await until('PostgreSQL runs again', () => isUp(shop), { seconds: 30 });
  } catch (error) {
    throw new Error(`${error.message}: ${shop.database.lastWords()} | ${shop.service.lastWords()}`);
  }
}

async function isUp({ database, service }) {
  if (service.hasEnded) return true;
  try {
    return (await database.query('select 1')).length === 1;
  } catch {
    return false;
  }
}

async function stop(row, shop) {
  await shop.service.revive();
  const { pid } = shop.database;
  const { code, seconds } = await shop.service.stop();
  row.check(code === 0, `exit ${code} after ${seconds.toFixed(1)} s`);
  row.check(!isAlive(pid), `PostgreSQL (${pid}) still runs`);
  row.within(seconds, 10, 'stopped');
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function fillDataDir(lab, row) {
  const disk = lab.smallDisk(256);
  const shop = await open(lab, { DATA_DIR: disk.path });
  const fault = async () => {
    disk.fill();
    // Its log ends at once instead of some time later: PostgreSQL crashes where it cannot write that.
    await shop.database.query('select pg_switch_wal()').catch(() => undefined);
    await sleep(2000);
    disk.free();
    await runsAgain(shop);
  };
  await lab.mistreat(row, shop, fault);
  await shop.service.stop();
}
