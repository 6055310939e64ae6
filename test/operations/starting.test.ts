import { readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@plinth/dev/testing';
import { Client } from 'pg';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { BASE_MIGRATIONS } from '../../packages/core/src/database/migrations/migrations.js';
import { MIGRATIONS } from '../../src/migrations/migrations.js';
import { createFrom, databaseOf, dropIfThere, run } from '../support/databases.js';
import { exchange, Exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';

/** The names of all migrations, ordered by the timestamps at their ends. */
const inOrder = (names: string[]): string[] => names.sort((a, b) => a.slice(-13).localeCompare(b.slice(-13)));

const NAME = `service_starting_${process.pid}`;
const ADMIN_EMAIL = `admin@${PRODUCT.emailDomain}`;

/** Longer than the statement time-out of a request and the query time-out of a frozen server. */
const LONG_MS = 2_000;

describe('two instances that start at once on an empty database', () => {
  const url = databaseOf(NAME);
  let services: ServiceProcess[];

  beforeAll(async () => {
    await createFrom('template0', NAME);
    // The server also limits statements and locks, as the settings of the service do.
    await run(url, `alter database "${NAME}" set statement_timeout = '500ms'`);
    await run(url, `alter database "${NAME}" set lock_timeout = '400ms'`);
    const other = new Client({ connectionString: url });
    await other.connect();
    await other.query('begin; create table products ()');
    const settings = {
      DATABASE_URL: url,
      DATABASE_STATEMENT_TIMEOUT_MS: '300',
      DATABASE_POOL_SIZE: '1',
      DOCS: 'true',
    };
    const both = Promise.all([1, 2].map(() => ServiceProcess.started(settings)));
    await eventually(() => migrate(2), true, 60_000);
    await sleep(LONG_MS);
    await other.query('rollback');
    await other.end();
    services = await both;
  });
  afterAll(async () => {
    for (const service of services) service.kill('SIGKILL');
    await Promise.all(services.map(({ exited }) => exited));
    await dropIfThere(NAME);
  });

  /** Whether at least this many sessions migrate or wait for their turn. */
  const migrate = async (sessions: number): Promise<boolean> =>
    (await run(url, `select from pg_stat_activity where application_name = '${PRODUCT.slug} migrations'`))
      .length >= sessions;
  /** Waits for a status of 200, because a busy machine may exceed the statement time-out of the check. */
  const answered = async (service: ServiceProcess, request: Uint8Array): Promise<Exchange> => {
    let asked: Exchange | undefined;
    const statusOf = async (): Promise<number> => (asked = await exchange(service, request)).answer.status;
    await eventually(statusOf, 200, 10_000);
    return asked as Exchange;
  };

  it('wait for a slow migration, and migrate once', async () => {
    const ran = await run<{ name: string }>(url, 'select name from migrations order by id');
    expect(ran.map(({ name }) => name)).toEqual(
      inOrder([...BASE_MIGRATIONS, ...MIGRATIONS].map(({ name }) => name)),
    );
    for (const service of services) await answered(service, wire('GET /health/ready'));
    await eventually(() => migrate(1), false, 10_000);
  });

  it('create one administrator, and announce it once', async () => {
    expect(await run(url, 'select email, role from users')).toEqual([{ email: ADMIN_EMAIL, role: 'admin' }]);
    const told = services.filter(({ output }) => output.includes('Password'));
    expect(told).toHaveLength(1);
    const [first] = told as [ServiceProcess];
    expect(first.output).toMatch(/Docs +http:\/\/127\.0\.0\.1:\d+\/docs/);
    expect(first.output).toMatch(new RegExp(`Admin +${ADMIN_EMAIL}`));
    const [, file = ''] = /Password +in (\S+)/.exec(first.output) ?? [];
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const password = readFileSync(file, 'utf8').trim();
    expect(password).toMatch(/^\S{12,}$/);
    expect(first.output).not.toContain(password);
    const credentials = JSON.stringify({ email: ADMIN_EMAIL.toUpperCase(), password });
    for (const service of services) {
      const login = wire('POST /login', ['Content-Type: application/json'], credentials);
      const { accessToken } = (await answered(service, login)).answer.body as { accessToken: string };
      await answered(service, wire('GET /api/v1/products', [`Authorization: Bearer ${accessToken}`]));
      expect(service.log).not.toContain(password);
    }
  });
});
