import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@plinth/dev/testing';
import { Client } from 'pg';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { BASE_MIGRATIONS } from '../../packages/core/src/database/migrations/migrations.js';
import { MIGRATIONS } from '../../src/migrations/migrations.js';
import { createFrom, databaseOf, dropIfThere, run } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';

/** By the times at the ends of their names. */
const inOrder = (names: string[]): string[] => names.sort((a, b) => a.slice(-13).localeCompare(b.slice(-13)));

const NAME = `service_starting_${process.pid}`;
const SETTINGS = {
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'a password of the tests',
  JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
  DATABASE_STATEMENT_TIMEOUT_MS: '300',
  DATABASE_POOL_SIZE: '1',
};

/** Longer than a statement of a request may take, and the query of a frozen server. */
const LONG_MS = 2_000;

describe('instances that start on an empty database', () => {
  const url = databaseOf(NAME);
  let services: ServiceProcess[];

  beforeEach(async () => {
    services = [];
    await createFrom('template0', NAME);
  });
  afterEach(async () => {
    for (const service of services) service.kill('SIGKILL');
    await Promise.all(services.map(({ exited }) => exited));
    await dropIfThere(NAME);
  });

  const start = async (): Promise<void> => {
    services.push(await ServiceProcess.started({ ...SETTINGS, DATABASE_URL: url }));
  };
  /** Whether so many sessions migrate, or wait for their turn, at least. */
  const migrate = async (sessions: number): Promise<boolean> =>
    (await run(url, `select from pg_stat_activity where application_name = '${PRODUCT.slug} migrations'`))
      .length >= sessions;

  /** Keeps migrations from getting on while `starting` start. */
  async function whileHeldUp(lock: string, starting: number): Promise<void> {
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query(`begin; ${lock}`);
    const all = Promise.all(Array.from({ length: starting }, start));
    await eventually(() => migrate(starting), true, 60_000);
    await sleep(LONG_MS);
    await other.query('rollback');
    await other.end();
    await all;
    const ran = await run<{ name: string }>(url, 'select name from migrations order by id');
    expect(ran.map(({ name }) => name)).toEqual(
      inOrder([...BASE_MIGRATIONS, ...MIGRATIONS].map(({ name }) => name)),
    );
    for (const { port } of services) {
      // A busy machine may take longer for the question than a statement may take here.
      await eventually(
        async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status,
        200,
        10_000,
      );
    }
    await eventually(() => migrate(1), false, 10_000);
  }

  it('wait for a migration that waits', async () => {
    await whileHeldUp('create table products ()', 2);
  });

  it('wait where the server bounds statements and locks by itself', async () => {
    await run(url, `alter database "${NAME}" set statement_timeout = '500ms'`);
    await run(url, `alter database "${NAME}" set lock_timeout = '400ms'`);
    await whileHeldUp('create table products ()', 1);
  });
});
