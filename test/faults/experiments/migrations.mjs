import pg from 'pg';

import { sleep, until } from '../lib/waiting.mjs';
import { PRODUCT } from '../../../dist/src/config/product.js';

/** Less than a migration waits for a lock (`lock_timeout`, 5 s): past that it gives up, and the orchestrator starts again. */
const WAITS_MS = 3000;

export default {
  name: 'migrations',
  about: 'a migration that waits for a lock, and instances that wait for the migration of another',
  isQuiet: true,
  async run(lab) {
    await Promise.all([
      lab.row('migration-waits', 'a migration waits 3 s for a lock', (row) => migrate(lab, row, 1)),
      lab.row('instances-wait', 'three instances start, the migration of one takes 3 s', (row) =>
        migrate(lab, row, 3),
      ),
    ]);
  },
};

async function migrate(lab, row, instances) {
  const database = await lab.emptyDatabase();
  const other = new pg.Client({ connectionString: database.url });
  await other.connect();
  try {
    // Whoever creates a table of this name now has to wait for the end of this transaction.
    await other.query('begin');
    await other.query('create table products ()');
    const starting = Array.from({ length: instances }, () => lab.launch({ DATABASE_URL: database.url }));
    const services = await Promise.all(starting);
    const serving = Promise.all(services.map((service) => service.serving()));
    serving.catch(() => undefined);
    await until('every instance waits', async () => (await waiting(database)) >= instances, { seconds: 60 });
    await sleep(WAITS_MS);
    await other.query('rollback');
    await serving;
    for (const service of services) row.readyAfter(await service.readyAgain());
    for (const service of services) row.takeService(service);
    const ran = await database.query('select name from migrations');
    row.check(new Set(ran.map(({ name }) => name)).size === ran.length, 'a migration ran twice');
    await Promise.all(services.map((service) => service.stop()));
  } finally {
    await other.end();
  }
}

/** How many services migrate or wait for their turn: each has one session of this name meanwhile. */
async function waiting(database) {
  const rows = await database.cluster.query(
    'postgres',
    `select pid from pg_stat_activity
     where datname = $1 and application_name = '${PRODUCT.slug} migrations'`,
    [database.name],
  );
  return rows.length;
}
