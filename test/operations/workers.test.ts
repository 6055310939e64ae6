import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Answer, eventually } from '@plinth/dev/testing';

import { freePort } from '../../scripts/lib/free-port.mjs';
import { createDatabase } from '../support/databases.js';
import { Scrape } from '../support/metrics.js';
import { childrenOf } from '../support/processes.js';
import { exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';
import { CONFIRM, MailServer, register } from '../support/smtp.js';

const SECRET = 'a-secret-of-the-tests-of-32-bytes-or-more';
const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';
const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };

const settings = { WORKERS: '2', JWT_SECRET: SECRET, METRICS_PORT: '0', ...ADMIN };

/** The process id of the server of the embedded database. */
const lockOf = ({ directory }: ServiceProcess): string => join(directory, 'database/cluster/postmaster.pid');
const postgresOf = (service: ServiceProcess): number =>
  Number(readFileSync(lockOf(service), 'utf8').split('\n')[0]);

const workersOf = (service: ServiceProcess): number[] =>
  childrenOf(service.pid).filter((child) => child !== postgresOf(service));

/** When a process was started, in seconds since 1970. */
const startOf = (pid: number): number =>
  Date.now() / 1000 - Number(execFileSync('ps', ['-o', 'etimes=', '-p', String(pid)], { encoding: 'utf8' }));

/** Sends a request on a new connection, because the workers take connections in turn. */
const ask = async (service: ServiceProcess, line: string, headers: string[] = [], body?: string) =>
  (await exchange(service, wire(line, headers, body))).answer;

const cookieOf = (answer: Answer, name: string): string =>
  new RegExp(`${name}=[^;]+`).exec([...answer.headers].join())?.[0] ?? '';

const logIn = async (service: ServiceProcess): Promise<Answer> => {
  const credentials = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD };
  const answer = await ask(service, 'POST /login', [JSON_TYPE], JSON.stringify(credentials));
  if (answer.status !== 200) throw new Error(`login: ${answer.text}`);
  return answer;
};

const scrape = (service: ServiceProcess): Promise<Scrape> =>
  Scrape.of(/Metrics +(\S+)/.exec(service.output)?.[1] ?? '');
const sum = async (service: ServiceProcess, name: string): Promise<number> =>
  (await scrape(service)).sum(name);
/** Waits until both workers serve. */
const untilBoth = (service: ServiceProcess): Promise<void> =>
  eventually(() => sum(service, 'database_connections_max'), 20, 120_000);

describe('a service of two workers on an embedded database', () => {
  let running: ServiceProcess | undefined;
  let service: ServiceProcess;
  const smtp = new MailServer();
  beforeAll(() => smtp.start());
  beforeEach(async () => {
    const PORT = String(await freePort());
    service = running ??= await ServiceProcess.started({ ...settings, PORT, SMTP_URL: smtp.url });
  });
  afterAll(async () => {
    await smtp.stop();
    // The server of the embedded database ends with the service.
    service.kill('SIGTERM');
    await service.exited;
  });

  it('has one port, one banner and one administrator', async () => {
    expect(workersOf(service)).toHaveLength(2);
    expect(service.output.match(/ serves /g)).toHaveLength(1);
    expect(service.output.match(/Admin /g)).toHaveLength(1);
    for (let i = 0; i < 4; i++) expect((await ask(service, 'GET /health/ready')).status).toBe(200);
  });

  it('ends a session for all workers', async () => {
    const session = cookieOf(await logIn(service), 'session_id');
    const own = [`Cookie: ${session}`, 'Sec-Fetch-Site: same-origin'];
    for (let i = 0; i < 4; i++) expect((await ask(service, `GET ${PRODUCTS}`, own)).status).toBe(200);
    expect((await ask(service, 'POST /api/v1/logout', own)).status).toBe(204);
    for (let i = 0; i < 4; i++) expect((await ask(service, `GET ${PRODUCTS}`, own)).status).toBe(401);
  });

  it('has metrics that are sums over its workers', async () => {
    await untilBoth(service);
    const before = await sum(service, 'http_requests_total');
    for (let i = 0; i < 20; i++) await ask(service, `GET ${PRODUCTS}`, ['Connection: close']);
    await eventually(async () => (await sum(service, 'http_requests_total')) - before, 20, 10_000);
    expect(await sum(service, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });

  it('has every metric that a single process has', async () => {
    await untilBoth(service);
    const database = await createDatabase();
    const single = await ServiceProcess.started({ ...settings, WORKERS: '1', DATABASE_URL: database.url });
    const [ofWorkers, ofOne] = await Promise.all([scrape(service), scrape(single)]);
    single.kill('SIGTERM');
    await single.exited;
    await database.drop();
    expect(ofOne.names.filter((name) => !ofWorkers.names.includes(name))).toEqual([]);
  });

  it('has the file descriptors of one worker in its metrics, because the limit is that of a process', async () => {
    await untilBoth(service);
    const [limit] = workersOf(service).map((pid) =>
      Number(/^Max open files +(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1]),
    );
    expect(await sum(service, 'process_max_fds')).toBe(limit);
    const open = workersOf(service).map((pid) => readdirSync(`/proc/${pid}/fd`).length);
    const both = open.reduce((total, count) => total + count, 0);
    expect(await sum(service, 'process_open_fds')).toBeLessThan(both * 0.8);
  });

  it('has the process id of the worker in each log line of a request', async () => {
    await untilBoth(service);
    const pids = (): number[] => [
      ...new Set([...service.log.matchAll(/"pid":(\d+),"method":"GET"/g)].map(([, pid]) => Number(pid))),
    ];
    const both = async (): Promise<boolean> => {
      await ask(service, `GET ${PRODUCTS}`, ['Connection: close']);
      return workersOf(service).every((pid) => pids().includes(pid));
    };
    await eventually(both, true, 30_000);
    expect(service.log).not.toMatch(/^(?!.*"pid":).*"method":/m);
  });

  it('has counts that never decrease, and metrics at any time, while a worker hangs, is killed and replaced', async () => {
    await untilBoth(service);
    for (let i = 0; i < 8; i++) await ask(service, `GET ${PRODUCTS}`, ['Connection: close']);
    const counts: number[] = [];
    const answering = async (): Promise<number> => {
      const now = await scrape(service);
      counts.push(now.sum('http_requests_total'));
      expect(now.sum('service_workers', { state: 'configured' })).toBe(2);
      return now.sum('service_workers', { state: 'answering' });
    };
    await eventually(answering, 2, 30_000);
    const start = await sum(service, 'process_start_time_seconds');
    expect(Math.abs(start - startOf(service.pid))).toBeLessThan(2);
    const [hanging = 0] = workersOf(service);
    process.kill(hanging, 'SIGSTOP');
    expect(await answering()).toBe(1);
    const line = `"pid":${hanging},"msg":"a worker does not answer"`;
    await eventually(() => Promise.resolve(service.log.includes(line)), true, 10_000);
    process.kill(hanging, 'SIGKILL');
    await eventually(async () => workersOf(service).includes(hanging), false, 30_000);
    await eventually(answering, 2, 120_000);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts[0]).toBeGreaterThan(0);
    expect(await sum(service, 'service_worker_failures_total')).toBe(1);
    // The instance has not been started again.
    expect(await sum(service, 'process_start_time_seconds')).toBe(start);
  });

  it('keeps all counts of a worker that ends in order', async () => {
    await untilBoth(service);
    const [told = 0] = workersOf(service);
    const before = await sum(service, 'http_requests_total');
    // Nobody scrapes while the worker counts these.
    for (let i = 0; i < 8; i++) await ask(service, `GET ${PRODUCTS}`, ['Connection: close']);
    process.kill(told, 'SIGTERM');
    await eventually(async () => workersOf(service).includes(told), false, 30_000);
    await eventually(async () => (await sum(service, 'http_requests_total')) - before, 8, 30_000);
    await untilBoth(service);
  });

  it('closes a connection that a killed worker has not accepted', async () => {
    await untilBoth(service);
    const [hanging = 0] = workersOf(service);
    process.kill(hanging, 'SIGSTOP');
    let closed = 0;
    // The primary gives one of these connections to the worker that hangs.
    const asked = Array.from({ length: 6 }, async () => {
      const { responses, isClosed } = await exchange(
        service,
        wire('GET /health/live', ['Connection: close']),
      );
      closed++;
      return [responses.length, isClosed];
    });
    await eventually(async () => closed, 5, 30_000);
    process.kill(hanging, 'SIGKILL');
    expect(await Promise.all(asked)).toContainEqual([0, true]);
    await untilBoth(service);
  });

  it('announces that each worker counts rate limits for itself', () => {
    expect(service.output).toMatch(/Rate limits {4}each worker counts by itself/);
  });

  it('sends a mail once, whichever worker stores it', async () => {
    await untilBoth(service);
    const emails = await Promise.all(Array.from({ length: 12 }, () => register(service)));
    for (const email of emails) await smtp.mails(email, CONFIRM);
    expect(smtp.received).toHaveLength(12);
  });

  it('replaces a worker that is killed or gets SIGTERM', async () => {
    const [killed = 0, told = 0] = workersOf(service);
    process.kill(killed, 'SIGKILL');
    const isReplaced = (pid: number) => () =>
      Promise.resolve(workersOf(service).length === 2 && !workersOf(service).includes(pid));
    await eventually(isReplaced(killed), true, 30_000);
    await eventually(() => Promise.resolve(/"outcome":"SIGKILL"/.test(service.log)), true, 30_000);
    process.kill(told, 'SIGTERM');
    await eventually(isReplaced(told), true, 30_000);
    // Two processes start, which takes five seconds of processor time each, and longer on a busy machine.
    await eventually(async () => (await ask(service, 'GET /health/ready')).status, 200, 120_000);
    expect(service.output).not.toMatch(/could not start/);
  });

  it('survives a crash of the database, and ends in order if SIGTERM is sent to all of its processes', async () => {
    await untilBoth(service);
    process.kill(postgresOf(service), 'SIGKILL');
    await eventually(() => Promise.resolve(/is running again/.test(service.output)), true, 60_000);
    await eventually(async () => (await ask(service, 'GET /health/ready')).status, 200, 30_000);
    running = undefined;
    // Ctrl-C and supervisors signal the whole group in the same way.
    for (const pid of [...workersOf(service), service.pid]) process.kill(pid, 'SIGTERM');
    expect(await service.exited).toBe(0);
    // The server has no parent left, and may remain as a zombie. It deletes its lock file if it stops in
    // order.
    expect(existsSync(lockOf(service))).toBe(false);
  });
});
