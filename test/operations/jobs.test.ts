import { eventually } from '@plinth/dev/testing';
import { Client } from 'pg';

import { CompiledExample, compileExample } from '../support/compiled-example.js';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { ServiceProcess } from '../support/service-process.js';
import { SECRET } from '../support/settings.js';
import { MailServer } from '../support/smtp.js';

const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };
const EXPORTED = /^Subject: Your export of products$/m;
/** The advisory lock for which the trigger waits. */
const LOCK = 4711;

let example: CompiledExample;
let database: TestDatabase;
const smtp = new MailServer();
beforeAll(async () => {
  example = compileExample('product-exports', 'ProductExportsModule');
  database = await createDatabase();
  await smtp.start();
});
const services: ServiceProcess[] = [];
afterEach(async () => {
  await Promise.all(services.splice(0).map(kill));
  await database.query('delete from pgboss.job');
  smtp.received.length = 0;
});
afterAll(async () => {
  await smtp.stop();
  await database.drop();
  example.remove();
});

async function start(): Promise<ServiceProcess> {
  const service = await ServiceProcess.started(
    { JWT_SECRET: SECRET, DATABASE_URL: database.url, SMTP_URL: smtp.url, ...ADMIN },
    { program: example.program },
  );
  services.push(service);
  return service;
}

async function kill(service: ServiceProcess): Promise<void> {
  service.kill('SIGKILL');
  await service.exited;
}

/** Logs in, and requests an export of all products. Returns its id. */
async function requestExport({ port }: ServiceProcess): Promise<number> {
  const post = async (path: string, body: object, headers = {}): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    expect([200, 201]).toContain(response.status);
    return (await response.json()) as Record<string, unknown>;
  };
  const { accessToken } = await post('/login', { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD });
  const { id, finishedAt } = await post(
    '/api/v1/product-exports',
    { category: null },
    { authorization: `Bearer ${String(accessToken)}` },
  );
  expect(finishedAt).toBeNull();
  return Number(id);
}

const exportState = async (): Promise<string | undefined> => {
  const text = `select state::text from pgboss.job where name = 'product-exports'`;
  return (await database.query<{ state: string }>(text))[0]?.state;
};

/** The number of mails that have not been sent. */
const openMails = async (): Promise<number> =>
  (await database.query(`select from pgboss.job where name = 'mails' and state <> 'completed'`)).length;

/** Makes each change of a job of the queue to a state wait. `release()` cancels the changes that wait. */
async function holdJobs(
  state: 'active' | 'completed',
): Promise<{ isWaiting(): Promise<boolean>; release(): Promise<void> }> {
  const holder = new Client({ connectionString: database.url });
  await holder.connect();
  await holder.query('select pg_advisory_lock($1)', [LOCK]);
  await holder.query(`
    create function hold_job() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$;
    create trigger hold_job before update on pgboss.job for each row
      when (new.name = 'product-exports' and new.state = '${state}') execute function hold_job()`);
  const waiting = `from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted`;
  return {
    isWaiting: async () => (await database.query(`select ${waiting}`)).length > 0,
    release: async () => {
      // PostgreSQL would not notice that the process has gone, and would finish the statement.
      await database.query(`select pg_terminate_backend(pid) ${waiting}`);
      await holder.end();
      await database.query('drop trigger hold_job on pgboss.job; drop function hold_job');
    },
  };
}

/** Simulates the time after which an attempt counts as interrupted. */
const expireAttempt = (): Promise<unknown> =>
  database.query(`update pgboss.job set started_on = started_on - expire_in where name = 'product-exports'`);

/** Makes a job that waits for its next attempt due. */
const hasten = (): Promise<unknown> =>
  database.query(`update pgboss.job set start_after = now() where name = 'product-exports'`);

/** Waits until a process has logged an attempt of an export. The log arrives late. */
const attempted = (service: ServiceProcess, id: number): Promise<void> =>
  eventually(
    () => Promise.resolve(service.log.split(`Exporting products for the export ${id}`).length - 1),
    1,
    10_000,
  );

describe('a job of a process that is killed by kill -9', () => {
  it('is run by another process if the kill comes between the commit and the work', async () => {
    const first = await start();
    const jobs = await holdJobs('active');
    const id = await requestExport(first);
    await eventually(jobs.isWaiting, true, 10_000);
    expect(await exportState()).toBe('created');
    await kill(first);
    await jobs.release();

    const second = await start();
    const [mail] = await smtp.mails(ADMIN.ADMIN_EMAIL, EXPORTED);
    expect(mail?.headers).toContain('multipart/mixed');
    expect(mail?.body).toContain('products.csv');
    await eventually(exportState, 'completed', 10_000);
    await attempted(second, id);
  });

  it('is run again by another process if the kill comes during the work', async () => {
    const first = await start();
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table products in access exclusive mode');
    const id = await requestExport(first);
    await eventually(exportState, 'active', 10_000);
    await attempted(first, id);
    await kill(first);
    await holder.end();

    await expireAttempt();
    const second = await start();
    await eventually(exportState, 'retry', 30_000);
    await hasten();
    await smtp.mails(ADMIN.ADMIN_EMAIL, EXPORTED);
    await eventually(exportState, 'completed', 10_000);
    await attempted(second, id);
  });

  it('runs twice if the kill comes between the work and its end, and still sends one mail', async () => {
    const first = await start();
    const jobs = await holdJobs('completed');
    const id = await requestExport(first);
    await eventually(jobs.isWaiting, true, 10_000);
    expect(await exportState()).toBe('active');
    const [{ finished } = {}] = await database.query<{ finished: boolean }>(
      'select finished_at is not null as finished from product_exports where id = $1',
      [id],
    );
    expect(finished).toBe(true);
    await attempted(first, id);
    // Otherwise the kill could interrupt the mail, which has a job of its own.
    await smtp.mails(ADMIN.ADMIN_EMAIL, EXPORTED);
    await eventually(openMails, 0, 10_000);
    await kill(first);
    await jobs.release();

    await expireAttempt();
    const second = await start();
    await eventually(exportState, 'retry', 30_000);
    await hasten();
    await eventually(exportState, 'completed', 30_000);
    await attempted(second, id);
    expect(await openMails()).toBe(0);
    expect(smtp.received.filter(({ headers }) => EXPORTED.test(headers))).toHaveLength(1);
  });
});

describe('a job of a process that gets SIGTERM', () => {
  it('is finished before the process ends', async () => {
    const service = await start();
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table products in access exclusive mode');
    await requestExport(service);
    await eventually(exportState, 'active', 10_000);
    service.kill('SIGTERM');
    await eventually(async () => (await fetchReady(service)) !== 200, true, 10_000);
    await holder.end();
    expect(await service.exited).toBe(0);
    expect(await exportState()).toBe('completed');
  });

  it('is interrupted if it takes too long, and tried again', async () => {
    const service = await start();
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table products in access exclusive mode');
    await requestExport(service);
    await eventually(exportState, 'active', 10_000);
    const begin = performance.now();
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(await exportState()).toBe('retry');
    await holder.end();
  });
});

const fetchReady = ({ port }: ServiceProcess): Promise<number> =>
  fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ status }) => status,
    () => 0,
  );
