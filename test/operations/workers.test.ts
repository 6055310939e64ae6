import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Answer, eventually } from '@plinth/dev/testing';

import { freePort } from '../../scripts/lib/free-port.mjs';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { Scrape } from '../support/metrics.js';
import { exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';

const SECRET = 'a-secret-of-the-tests-of-32-bytes-or-more';
const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';
const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };

const settings = { WORKERS: '2', JWT_SECRET: SECRET, ...ADMIN };

/** The processes that a process has started. */
function childrenOf({ pid }: { readonly pid: number }): number[] {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.filter(([, parent]) => parent === pid).map(([child = 0]) => child);
}

/** A request on a connection of its own: connections go to the workers in turn. */
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

describe('a service of two workers', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  beforeAll(async () => {
    database = await createDatabase();
    const PORT = String(await freePort());
    service = await ServiceProcess.started({
      ...settings,
      PORT,
      METRICS_PORT: '0',
      DATABASE_URL: database.url,
    });
  });
  afterAll(async () => {
    service.kill('SIGKILL');
    await service.exited;
    await database.drop();
  });

  it('is one: a port, a banner, an administrator', async () => {
    expect(childrenOf(service)).toHaveLength(2);
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
    const [, url = ''] = /Metrics +(\S+)/.exec(service.output) ?? [];
    // A scrape that a worker misses, since it is still starting, fails after 5 seconds.
    const sum = (name: string) =>
      Scrape.of(url).then(
        (now) => now.sum(name),
        () => 0,
      );
    await eventually(() => sum('database_connections_max'), 20, 30_000);
    const before = await sum('http_requests_total');
    for (let i = 0; i < 20; i++) await ask(service, 'GET /health/live', ['Connection: close']);
    await eventually(async () => (await sum('http_requests_total')) - before, 20, 10_000);
    expect(await sum('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });

  it('says that each worker counts rate limits for itself', () => {
    expect(service.output).toMatch(/Rate limits {4}each worker counts for itself/);
  });

  it('replaces a worker that is killed, or told to end', async () => {
    const [killed = 0, told = 0] = childrenOf(service);
    process.kill(killed, 'SIGKILL');
    const isReplaced = (pid: number) => () =>
      Promise.resolve(childrenOf(service).length === 2 && !childrenOf(service).includes(pid));
    await eventually(isReplaced(killed), true, 30_000);
    await eventually(() => Promise.resolve(/"outcome":"SIGKILL"/.test(service.log)), true, 30_000);
    process.kill(told, 'SIGTERM');
    await eventually(isReplaced(told), true, 30_000);
    // Two processes start, which takes five seconds of a processor each, and longer where others use it.
    await eventually(async () => (await ask(service, 'GET /health/ready')).status, 200, 120_000);
    expect(service.output).not.toMatch(/could not start/);
  });
});

it('workers on an embedded database survive its end, and end in order with SIGTERM to all of them', async () => {
  const service = await ServiceProcess.started({
    ...settings,
    RATE_LIMIT: '0',
    ANONYMOUS_ROLE: 'viewer',
  });
  const folder = join(service.directory, 'database');
  const postgres = (): number =>
    Number(readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(postgres(), 'SIGKILL');
  await eventually(() => Promise.resolve(/runs again/.test(service.output)), true, 60_000);
  await eventually(async () => (await ask(service, 'GET /health/ready')).status, 200, 30_000);
  const database = postgres();
  // As Ctrl-C does, and supervisors that signal a group.
  for (const pid of [...childrenOf(service).filter((child) => child !== database), service.pid])
    process.kill(pid, 'SIGTERM');
  expect(await service.exited).toBe(0);
  // The server is nobody's child, and may be left as a zombie: it takes its file along where it stops in order.
  expect(existsSync(join(folder, 'cluster', 'postmaster.pid'))).toBe(false);
});
