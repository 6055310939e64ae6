import pg from 'pg';

import { sleep, until } from '../lib/waiting.mjs';
import { PRODUCT } from '../../../dist/src/config/product.js';

/** Longer than a request's statement may take: DATABASE_STATEMENT_TIMEOUT_MS, and a second. */
const STATEMENT_WAITS_MS = 7000;
/** Longer than anybody else waits for a connection on top of that. */
const INSTANCE_WAITS_MS = 10_000;

/** F7: migrations may take their time. */
export default {
  name: 'migrations',
  about: 'a migration that waits, and an instance that waits for the migration of another (F7)',
  isQuiet: true,
  async run(lab) {
    await Promise.all([
      lab.row('migration-waits', 'a migration waits 7 s for a lock (F7)', (row) =>
        migrate(lab, row, 1, STATEMENT_WAITS_MS),
      ),
      lab.row('instances-wait', 'three instances start, the migration of one takes 10 s (F7)', (row) =>
        migrate(lab, row, 3, INSTANCE_WAITS_MS),
      ),
    ]);
  },
};

async function migrate(lab, row, instances, waitMs) {
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
    await sleep(waitMs);
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
