import { AddressInfo, createServer } from 'node:net';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import { eventually } from '@plinth/dev/testing';

import { createDatabase, TestDatabase } from '../support/databases.js';
import { Scrape } from '../support/metrics.js';
import { exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';
import { register } from '../support/smtp.js';

const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const metricsUrl = (service: ServiceProcess): string => /Metrics +(\S+)/.exec(service.output)?.[1] ?? '';

describe('metrics', () => {
  let service: ServiceProcess;
  let base: string;
  let authorization: string;
  beforeAll(async () => {
    service = await ServiceProcess.started({
      DATABASE_URL: database.url,
      NODE_ENV: 'test',
      JWT_SECRET: 'a secret of at least 32 bytes for tests',
      METRICS_PORT: '0',
      ...ADMIN,
    });
    await eventually(() => Promise.resolve(metricsUrl(service) !== ''), true, 10_000);
    base = `http://127.0.0.1:${service.port}`;
    const login = await send('POST', '/login', {
      email: ADMIN.ADMIN_EMAIL,
      password: ADMIN.ADMIN_PASSWORD,
    });
    authorization = `Bearer ${((await login.json()) as { accessToken: string }).accessToken}`;
  });
  afterAll(() => service.kill('SIGKILL'));

  const send = (method: string, path: string, body?: object, headers: object = {}): Promise<Response> =>
    fetch(`${base}${path}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(authorization && { authorization }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const scrape = (): Promise<Scrape> => Scrape.of(metricsUrl(service));

  /**
   * Expects a metric to grow by a number while work is done. A response is counted a moment after it was
   * read.
   */
  const expectGrowth = async (
    work: () => Promise<unknown>,
    name: string,
    labels: Record<string, string | number> = {},
    by = 1,
  ): Promise<void> => {
    const before = (await scrape()).sum(name, labels);
    await work();
    await eventually(async () => (await scrape()).sum(name, labels) - before, by, 10_000);
  };

  it('count requests by method, route and status, with a histogram of their duration', async () => {
    const route = '/api/v1/products/:id';
    const twice = async (): Promise<void> => {
      await (await send('GET', '/api/v1/products/999999991')).text();
      await (await send('GET', '/api/v1/products/999999992')).text();
    };
    await expectGrowth(twice, 'http_requests_total', { method: 'GET', route, status: 404 }, 2);
    const name = 'http_request_duration_seconds';
    await expectGrowth(twice, `${name}_bucket`, { method: 'GET', route, le: '+Inf' }, 2);
    expect((await scrape()).sum(`${name}_sum`, { route })).toBeGreaterThan(0);
  });

  it('never contain a label that a client chose', async () => {
    const hostile = async (): Promise<void> => {
      for (const path of [
        '/nowhere-1',
        '/api/v1/nowhere-2',
        '/api/v9/products',
        '/%ZZ',
        '/api/v1/products/x-3?a=b',
      ])
        await (await send('GET', path)).text();
      await (await send('PURGE', '/nowhere-4')).text();
      await exchange(service, 'BREW /nowhere-5 HTTP/1.1\r\nHost: a\r\n\r\n');
      await exchange(
        service,
        wire('GET /nowhere-6', ['Authorization: Bearer nowhere-7', 'X-Request-Id: nowhere-8']),
      );
      await exchange(service, wire('GET /nowhere-9', ['Authorization: Basic bm93aGVyZTpub3doZXJl']));
    };
    await hostile();
    const { text } = await scrape();
    expect(text).not.toContain('nowhere');
    const first = await scrape();
    await hostile();
    const second = await scrape();
    // The repetition adds no line.
    const lines = ({ text: all }: Scrape): number =>
      all.split('\n').filter((line) => /^(http|auth|database)_/.test(line)).length;
    expect(lines(second)).toBe(lines(first));
    expect(second.valuesOf('http_requests_total', 'method')).not.toContain('PURGE');
    expect(second.sum('http_requests_total', { method: 'other', route: 'unmatched' })).toBeGreaterThan(0);
  });

  it('count errors by code, and authentication failures by route', async () => {
    const bad = async (): Promise<void> => {
      await (await fetch(`${base}/api/v1/products`, { headers: { authorization: 'Bearer x' } })).text();
    };
    await expectGrowth(bad, 'auth_failures_total', { route: '/api/v1/products', code: 'INVALID_TOKEN' });
    const noLogin = async (): Promise<void> =>
      void (await (await send('POST', '/login', { email: 'a@example.com', password: 'a wrong one' })).text());
    await expectGrowth(noLogin, 'auth_failures_total', { route: '/login', code: 'INVALID_CREDENTIALS' });
    await expectGrowth(noLogin, 'http_errors_total', { code: 'INVALID_CREDENTIALS' });
  });

  it('count no health check, whether it succeeds or not', async () => {
    const before = await scrape();
    for (const path of ['/health/live', '/health/ready']) expect((await send('GET', path)).status).toBe(200);
    // A path that only looks like one counts.
    await expectGrowth(() => send('GET', '/health/nothing'), 'http_requests_total', { route: 'unmatched' });
    const after = await scrape();
    expect(after.sum('http_requests_total') - before.sum('http_requests_total')).toBe(1);
    expect(after.text).not.toContain('/health/');
  });

  it('begin at 0 for each error code, so that rates include the first errors', async () => {
    const codes = (await scrape()).valuesOf('http_errors_total', 'code');
    for (const code of ['DATABASE_UNAVAILABLE', 'DATABASE_ERROR', 'OVERLOADED', 'PRODUCT_NOT_FOUND'])
      expect(codes).toContain(code);
  });

  it('describe the build, and whether the service is ready and migrated', async () => {
    const now = await scrape();
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(now.sum('service_build_info', { version, node: process.version })).toBe(1);
    expect(now.sum('service_ready')).toBe(1);
    expect([now.sum('service_not_ready'), now.sum('database_migrations_missing')]).toEqual([0, 0]);
    const [last] = await database.query<{ name: string; timestamp: string }>(
      'delete from migrations where id = (select max(id) from migrations) returning name, timestamp',
    );
    const missing = await scrape();
    await database.query('insert into migrations (name, timestamp) values ($1, $2)', [
      last?.name,
      last?.timestamp,
    ]);
    expect(missing.sum('service_not_ready', { reason: 'migrations' })).toBe(1);
    expect([missing.sum('service_ready'), missing.sum('database_migrations_missing')]).toEqual([0, 1]);
    expect((await scrape()).sum('service_ready')).toBe(1);
  });

  it('describe the pool, the event loop and the process', async () => {
    const now = await scrape();
    expect(now.sum('database_connections_max', { pool: 'primary' })).toBe(10);
    expect(now.sum('database_connections', { pool: 'primary', state: 'idle' })).toBeGreaterThan(0);
    expect(now.sum('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(now.sum('http_requests_in_flight')).toBe(0);
    expect(now.sum('nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
    expect(now.names).toEqual(
      expect.arrayContaining(['http_rate_limited_total', 'database_connections_waiting']),
    );
  });

  it('do not count the queries of their own scrape as waiting', async () => {
    const waiting = async (): Promise<number> => (await scrape()).sum('database_connections_waiting');
    await eventually(waiting, 0, 10_000);
  });

  it('describe the queue of mails', async () => {
    const labels = { queue: 'mails', outcome: 'completed' };
    const mailed = async (): Promise<void> => void (await register(service));
    await expectGrowth(mailed, 'jobs_attempts_total', labels);
    await eventually(async () => (await scrape()).sum('jobs_due', { queue: 'mails' }), 0, 10_000);
    expect((await scrape()).valuesOf('jobs_oldest_due_seconds', 'queue')).toEqual(['mails']);
  });

  it('are served on a single path, to GET and HEAD', async () => {
    const url = metricsUrl(service);
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await fetch(url)).headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(new URL('/', url))).status).toBe(404);
    expect((await fetch(`${base}/metrics`)).status).toBe(404);
  });
});

it('a METRICS_PORT that is in use stops the start with one line that names it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const service = new ServiceProcess({ DATABASE_URL: database.url, METRICS_PORT: String(port), ...ADMIN });
  expect(await service.exited).toBe(1);
  other.close();
  expect(service.output).toContain(
    `METRICS_PORT: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
  );
  expect(service.output).not.toContain('    at ');
});
