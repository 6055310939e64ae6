/** The service on a database, in this process: its repository reads pages on the one connection of its pool. */
import { readFileSync } from 'node:fs';
import { parentOf, treeCpuSeconds } from '../pinning.mjs';
import { root } from '../servers.mjs';

const SECRET = 'a-secret-of-the-benchmark-with-more-than-32-bytes';
const load = (path) => import(root(path));

/** @param {string} url a database, which is migrated */
export async function openService(url) {
  const { createApp, createLogger, DatabaseSchema, readConfig } = await load('packages/core/dist/dev.js');
  const { Database } = await load('packages/core/dist/index.js');
  const { AppModule } = await load('dist/src/app.module.js');
  const { ProductsRepository } = await load('dist/src/products/products.repository.js');
  const config = readConfig({ NODE_ENV: 'test', DATABASE_POOL_SIZE: '1' }, () => SECRET);
  const { nest } = await createApp(AppModule, config, url, {
    logger: createLogger('fatal'),
    beforeInit: (app) => app.nest.get(DatabaseSchema).migrate(),
  });
  const get = (type) => nest.get(type, { strict: false });
  const database = get(Database);
  const { EntityTable } = await load('packages/core/dist/dev.js');
  const { listStatement } = await load('packages/core/dist/lists/list-statement.js');
  const { Product } = await load('dist/src/products/product.entity.js');
  const table = new EntityTable(database.metadataOf(Product));
  return {
    products: get(ProductsRepository),
    statementOf: (query) => listStatement(table, query),
    session: await openSession(database),
    close: () => nest.close(),
  };
}

/** Reads what a statement costs in the session of a pool of one connection. */
export async function openSession(database) {
  const run = (text) => database.query({ text, values: [] });
  const client = await database.pool.connect();
  let plan = '';
  client.on('notice', ({ message = '' }) => (plan = message.includes('plan:') ? message : plan));
  client.release();
  const [{ pid }] = await run('select pg_backend_pid() as pid');
  // On a busy machine a statement may take seconds although it needs little processor time.
  await run('set statement_timeout = 0');
  await run(`load 'auto_explain'`);
  for (const setting of [
    'log_analyze = on',
    'log_buffers = on',
    'log_timing = off',
    'log_format = json',
    `log_level = 'notice'`,
  ])
    await run(`set auto_explain.${setting}`);
  const cpuMs = () => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  // In steps of 10 ms. Only the server's own account has the workers of parallel plans, which end before they are seen.
  const treeMs = () => treeCpuSeconds(parentOf(pid)) * 1000;
  return {
    /**
     * PostgreSQL's processor time of some work, in milliseconds.
     * @param {boolean} [isParallel] whether the plan has workers
     */
    async measure(work, isParallel = false) {
      const read = isParallel ? treeMs : cpuMs;
      const before = read();
      const result = await work();
      return { result, ms: read() - before };
    },
    /** Lets PostgreSQL choose between plans for the values and for all values, or makes it take the latter. */
    setPlans: (mode) => run(`set plan_cache_mode = ${mode}`),
    /** PostgreSQL's processor time of a statement that reads no table: about 100 ms on a quiet core of 2024. */
    reference: async () => {
      const before = cpuMs();
      await run('select count(*) from generate_series(1, 1000000)');
      return cpuMs() - before;
    },
    /** The plan of the last statement of some work, as `explain (analyze, buffers, format json)` writes it. */
    async explain(work) {
      plan = '';
      await run('set auto_explain.log_min_duration = 0');
      try {
        await work();
        return JSON.parse(plan.slice(plan.indexOf('plan:') + 5)).Plan;
      } finally {
        await run('set auto_explain.log_min_duration = -1');
      }
    },
  };
}
