import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { AddressInfo } from 'node:net';
import { once } from 'node:events';

import { createDatabase, TestDatabase } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { hasPromtool, promtool, Scrape } from '../support/metrics.js';
import { skipping } from '../support/needs.js';
import { describeWithRedis, startRedis, TestRedis } from '../support/redis.js';
import { exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';

const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const metricsUrl = (service: ServiceProcess): string => /Metrics +(\S+)/.exec(service.output)?.[1] ?? '';

describeWithRedis('O1 metrics', () => {
  let redis: TestRedis;
  let service: ServiceProcess;
  let base: string;
  let authorization: string;
  beforeAll(async () => {
    redis = await startRedis();
    service = await ServiceProcess.started({
      DATABASE_URL: database.url,
      NODE_ENV: 'test',
      JWT_SECRET: 'a secret of at least 32 bytes for tests',
      METRICS_PORT: '0',
      REDIS_URL: redis.url,
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
  afterAll(async () => {
    service.kill('SIGKILL');
    await redis.remove();
  });

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

  /** A number grows by so much while something is done: an answer is counted a moment after it was read. */
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

  it('count requests by method, route and status, with a histogram of their time', async () => {
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

  it('let no client choose a label', async () => {
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
    // A second time there is not one line more.
    const lines = ({ text: all }: Scrape): number =>
      all.split('\n').filter((line) => !line.startsWith('nodejs_gc')).length;
    expect(lines(second)).toBe(lines(first));
    expect(second.valuesOf('http_requests_total', 'method')).not.toContain('PURGE');
    expect(second.sum('http_requests_total', { method: 'other', route: 'unmatched' })).toBeGreaterThan(0);
  });

  it('count errors by code, refusals by scheme, and what was answered from an Idempotency-Key', async () => {
    const bad = (value: string) => async (): Promise<void> => {
      await (await fetch(`${base}/api/v1/products`, { headers: { authorization: value } })).text();
    };
    const failures = 'auth_failures_total';
    await expectGrowth(bad('Bearer x'), failures, { scheme: 'bearer', code: 'INVALID_TOKEN' });
    await expectGrowth(bad('Basic eDp5'), failures, { scheme: 'basic' });
    const nobody = async (): Promise<void> => void (await (await fetch(`${base}/api/v1/products`)).text());
    await expectGrowth(nobody, failures, { scheme: 'none' });
    const noLogin = async (): Promise<void> =>
      void (await (await send('POST', '/login', { email: 'a@example.com', password: 'a wrong one' })).text());
    await expectGrowth(noLogin, failures, { scheme: 'login' });
    await expectGrowth(noLogin, 'http_errors_total', { code: 'INVALID_CREDENTIALS' });
    const create = async (): Promise<void> => {
      const product = { name: 'a lamp', price: 1, category: 'lamps' };
      const headers = { 'idempotency-key': 'the-same' };
      await (await send('POST', '/api/v1/products', product, headers)).text();
    };
    await create();
    await expectGrowth(create, 'http_idempotent_replays_total');
  });

  it('time statements by name, and know the pool, notifications, Redis and the process', async () => {
    const product = { name: 'a lamp', price: 1, category: 'lamps' };
    const created = await send('POST', '/api/v1/products', product);
    const path = `/api/v1/products/${((await created.json()) as { id: number }).id}`;
    const read = async (): Promise<void> => void (await (await send('GET', path)).text());
    const statement = { statement: 'select products' };
    await expectGrowth(read, 'database_statement_duration_seconds_count', statement);
    await expectGrowth(read, 'redis_call_duration_seconds_count', { call: 'count hit' });
    const now = await scrape();
    expect(now.valuesOf('database_statement_duration_seconds', 'statement').join()).not.toMatch(/q_|\$|'/);
    expect(now.sum('database_connections_max', { pool: 'primary' })).toBe(10);
    expect(now.sum('database_connections', { pool: 'primary', state: 'idle' })).toBeGreaterThan(0);
    expect(now.sum('database_connections_opened_total')).toBeGreaterThan(0);
    expect(now.sum('database_notifications_connected')).toBe(1);
    expect(now.sum('redis_connected')).toBe(1);
    expect(now.sum('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(now.sum('http_requests_in_flight')).toBe(0);
    expect(now.sum('http_requests_at_work_max')).toBe(512);
    expect(now.sum('nodejs_heap_size_used_bytes')).toBeGreaterThan(1e6);
    expect(now.names).toEqual(
      expect.arrayContaining(['nodejs_eventloop_lag_p99_seconds', 'http_requests_shed_total']),
    );
  });

  it('know open sessions, and how many callers are counted, of failed logins too', async () => {
    const login = async (): Promise<void> => {
      const body = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD, scheme: 'session' };
      expect((await send('POST', '/login', body)).status).toBe(200);
    };
    await eventually(async () => (await scrape()).sum('auth_sessions') > 0, true, 10_000);
    await expectGrowth(login, 'auth_sessions');
    const fallbacks = async (): Promise<number> => (await scrape()).sum('rate_limit_fallbacks_total');
    const before = await fallbacks();
    await redis.kill();
    await eventually(async () => (await scrape()).sum('redis_connected'), 0, 20_000);
    const keys = (await scrape()).sum('rate_limit_keys');
    const wrong = { email: 'nobody@example.com', password: 'a wrong one' };
    expect((await send('POST', '/login', wrong)).status).toBe(401);
    // Of the failed login its account, and both together; the caller and the address are known from before.
    await eventually(async () => (await scrape()).sum('rate_limit_keys') - keys >= 2, true, 10_000);
    expect((await fallbacks()) - before).toBeGreaterThanOrEqual(4);
  });

  it('say how long a request took in the log as well', async () => {
    const id = 'measured-in-the-log';
    await (await send('GET', '/api/v1/products', undefined, { 'x-request-id': id })).text();
    const line = (): string | undefined => service.log.split('\n').find((each) => each.includes(id));
    await eventually(() => Promise.resolve(line() !== undefined), true, 10_000);
    expect((JSON.parse(line() ?? '') as { ms: number }).ms).toBeGreaterThan(0);
  });

  (hasPromtool ? it : skipping(it, 'promtool is not installed'))('are what Prometheus wants', async () => {
    expect(promtool(['check', 'metrics'], (await scrape()).text)).toEqual({ code: 0, said: '' });
  });

  it('are served at one path, to GET and HEAD', async () => {
    const url = metricsUrl(service);
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await fetch(url)).headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    expect((await fetch(new URL('/', url))).status).toBe(404);
    expect((await fetch(`${base}/metrics`)).status).toBe(404);
  });

  it('are there until the last request is answered, and gone with the process', async () => {
    const url = metricsUrl(service);
    const open = await fetch(url);
    await open.text();
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    await expect(fetch(url)).rejects.toThrow();
  });
});

it('O1 a METRICS_PORT that is taken stops the start with one line that names it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const service = new ServiceProcess({ DATABASE_URL: database.url, METRICS_PORT: String(port), ...ADMIN });
  expect(await service.exited).toBe(1);
  other.close();
  expect(service.output).toContain(`METRICS_PORT: port ${port} on 127.0.0.1 is in use`);
  expect(service.output).not.toContain('    at ');
});

describe('O1 metrics of several workers', () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await ServiceProcess.started({
      DATABASE_URL: database.url,
      NODE_ENV: 'test',
      JWT_SECRET: 'a secret of at least 32 bytes for tests',
      METRICS_PORT: '0',
      WORKERS: '2',
      ...ADMIN,
    });
    await eventually(() => Promise.resolve(metricsUrl(service) !== ''), true, 20_000);
  });
  afterAll(() => service.kill('SIGKILL'));

  const route = { route: '/health/live' };
  const scrape = (): Promise<Scrape> => Scrape.of(metricsUrl(service));
  const answered = async (): Promise<number> => (await scrape()).sum('http_requests_total', route);
  const ask = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await exchange(service, wire('GET /health/live', ['Connection: close']));
  };
  const workers = (): number[] =>
    readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, 'utf8').trim().split(' ').map(Number);

  it('are sums, and those of a worker that is killed or replaced stay in them', async () => {
    await ask(20);
    await eventually(answered, 20, 10_000);
    await exchange(service, wire('GET /api/v1/products', ['Connection: close']));
    const before = await scrape();
    expect(before.sum('service_workers')).toBe(2);
    // One address: in its counter in the primary, and in those of the worker that it came to.
    expect(before.sum('rate_limit_keys')).toBeGreaterThanOrEqual(2);
    expect(before.sum('database_connections_max')).toBe(20);
    expect(before.sum('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    expect(before.sum('process_start_time_seconds')).toBeGreaterThan(Date.now() / 1000 - 600);
    const [killed, replaced] = workers();
    process.kill(killed!, 'SIGKILL');
    await eventually(async () => workers().length === 2 && !workers().includes(killed!), true, 20_000);
    expect(await answered()).toBe(20);
    await ask(10);
    // It says what it has counted since the last scrape before it goes.
    process.kill(replaced!, 'SIGTERM');
    await eventually(async () => !workers().includes(replaced!) && workers().length === 2, true, 20_000);
    await eventually(answered, 30, 10_000);
    if (hasPromtool) expect(promtool(['check', 'metrics'], (await scrape()).text).code).toBe(0);
  });

  it('end with the service, without a word of failure in the log', async () => {
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    const failures = service.log.split('\n').filter((line) => line.includes('"level":50'));
    expect(failures.filter((line) => !line.includes('a worker ended and is replaced'))).toEqual([]);
    await expect(fetch(metricsUrl(service))).rejects.toThrow();
  });
});
