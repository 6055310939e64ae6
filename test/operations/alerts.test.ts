import { ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@plinth/dev/testing';
import { Client } from 'pg';

import { freePort } from '../../scripts/lib/free-port.mjs';
import { createDatabase, TestDatabase } from '../support/databases.js';
import { Scrape } from '../support/metrics.js';
import { childrenOf } from '../support/processes.js';
import { hasPromtool, Recorder, RULES } from '../support/recorder.js';
import { hasRedis, startRedis, TestRedis } from '../support/redis.js';
import { ServiceProcess } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.mjs';

const SCRAPE_MS = 500;
/** `timeout check` of deploy/haproxy/10-instances.cfg. */
const CHECK_TIMEOUT_MS = 5_000;
const WITHIN_MS = 120_000;

// CI installs all of them (Debian: `apt-get install prometheus haproxy redis-server`).
const isInstalled = hasPromtool && hasRedis && spawnSync('haproxy', ['-v']).status === 0;
const describeWithPrograms = isInstalled ? describe : describe.skip;

describeWithPrograms('the alert rules', () => {
  it('fire as deploy/prometheus/alerts.test.yaml says', () => {
    const file = RULES.replace('.yaml', '.test.yaml');
    expect(execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })).toContain('SUCCESS');
  });
});

describeWithPrograms('the alerts of two instances behind the HAProxy of production', () => {
  const folder = mkdtempSync(join(tmpdir(), 'service-haproxy-'));
  let database: TestDatabase;
  let proxy: TcpProxy;
  let redis: TestRedis;
  /** The first has two workers, the second is one process. */
  let services: ServiceProcess[] = [];
  let haproxy: ChildProcess | undefined;
  let clients: Clients;
  let recorder: Recorder;

  beforeAll(async () => {
    [database, redis] = await Promise.all([createDatabase(), startRedis()]);
    proxy = await TcpProxy.to(database.url);
    const settings = {
      DATABASE_URL: proxy.urlOf(database.url),
      DATABASE_STATEMENT_TIMEOUT_MS: '400',
      REDIS_URL: redis.url,
      JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
      RATE_LIMIT: '1000000',
      ANONYMOUS_ROLE: 'viewer',
      METRICS_PORT: '0',
    };
    services = await Promise.all([
      ServiceProcess.started({ ...settings, WORKERS: '2', PORT: String(await freePort()) }),
      ServiceProcess.started(settings),
    ]);
    const port = await freePort();
    haproxy = startHaproxy(folder, port, services);
    clients = new Clients(port);
    await eventually(() => clients.ask('/health/ready'), 200, WITHIN_MS);
    const [one = '', two = ''] = services.map(({ output }) => /Metrics +(\S+)/.exec(output)?.[1]);
    recorder = new Recorder({ one, two }, SCRAPE_MS);
    await bothAnswer();
    await clients.begin();
  });
  afterAll(async () => {
    haproxy?.kill('SIGKILL');
    for (const service of services) service.kill('SIGKILL');
    await Promise.all(services.map(({ exited }) => exited));
    await clients.end();
    await proxy.refuse();
    await redis.remove();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  /** Waits until both workers of the first instance serve. */
  const bothAnswer = async (): Promise<void> => {
    const url = /Metrics +(\S+)/.exec(services[0]!.output)?.[1] ?? '';
    const answering = async (): Promise<number> =>
      (await Scrape.of(url)).sum('service_workers', { state: 'answering' });
    await eventually(answering, 2, WITHIN_MS);
  };
  /** Alerts about speed, which a busy machine may raise. */
  const SLOW = ['EventLoopLate', 'RequestsSlow', 'RequestsShed'];

  it('do not fire while everything works', async () => {
    await recorder.scrape(6);
    recorder.expect([], SLOW);
    expect(new Set(clients.take().map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('do not fire if a worker is killed, and no request waits longer than a check of the balancer', async () => {
    const [victim = 0] = childrenOf(services[0]!.pid);
    process.kill(victim, 'SIGKILL');
    await recorder.scrape(14);
    // Its replacement needs some seconds to start, which count as minutes here.
    recorder.expect([], [...SLOW, 'WorkersSilent']);
    expect(recorder.decreased).toEqual([]);
    expect(recorder.valuesOf('up{')).not.toContain('0');
    const answers = clients.take();
    // The requests that the worker was processing get 502, or no complete response.
    expect(answers.filter(({ status }) => ![0, 200, 502].includes(status))).toEqual([]);
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(CHECK_TIMEOUT_MS);
    await bothAnswer();
    clients.take();
  });

  it('name Redis while it is away, and each process logs that once', async () => {
    await redis.kill();
    await recorder.scrape(8);
    recorder.expect([['RedisUnavailable', 2]], SLOW);
    await redis.start();
    await recorder.scrape(8);
    recorder.expect([], SLOW);
    const logged = services.map(({ log }) => [...log.matchAll(/Redis is (unavailable|available)/g)].length);
    // Once when it is away and once when it is back, in each of the processes that serve.
    expect(logged).toEqual([4, 2]);
    expect(new Set(clients.take().map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('name the database within two minutes while it is away, although no request reaches an instance', async () => {
    await proxy.refuse();
    await recorder.scrape(8);
    // The first requests may have failed before the balancer noticed.
    recorder.expect([['DatabaseUnavailable', 2]], [...SLOW, 'DatabaseFails', 'PoolUsedUp']);
    expect(
      recorder.valuesOf('service_not_ready{job="api",instance="two",reason="database_unreachable"}').at(-1),
    ).toBe('1');
    await proxy.accept();
    await recorder.scrape(12);
    recorder.expect([], [...SLOW, 'PoolUsedUp']);
    const logged = services.map(
      ({ log }) => [...log.matchAll(/"msg":"(Not ready: [^"]+|Ready again\.)"/g)].length,
    );
    // Each process may first see that its connection is lost, and then that it gets no other.
    for (const [i, processes] of [2, 1].entries()) expect(logged[i]).toBeLessThanOrEqual(processes * 3);
    expect(logged.every((count) => count >= 2)).toBe(true);
    clients.take();
  });

  it('name the requests that fail, and the code, while the database is too slow', async () => {
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; lock table products in access exclusive mode');
    await recorder.scrape(26);
    const failing = [
      ['DatabaseFails', 1],
      ['RequestsFail', 1],
    ] as const;
    recorder.expect(failing, [...SLOW, 'PoolUsedUp']);
    await holder.query('rollback');
    await holder.end();
    expect(clients.take().some(({ status }) => status === 504)).toBe(true);
  });

  it('fire and do not fire as expected, by the rules that Prometheus evaluates', () => recorder.verify());

  it('are not disturbed by the health checks, which are in neither the log nor the metrics', async () => {
    expect(recorder.valuesOf('http_requests_total').length).toBeGreaterThan(0);
    for (const { log } of services) expect(log).not.toContain('/health/');
    const names = recorder.names.filter((name) => name.includes('/health/') || name.includes('NOT_READY'));
    expect(names.filter((name) => !name.startsWith('http_errors_total'))).toEqual([]);
    expect(recorder.valuesOf('http_errors_total').length).toBeGreaterThan(0);
  });
});

/** Clients that send 20 requests a second, and do not wait for one response before they send the next request. */
class Clients {
  private answers: { status: number; ms: number }[] = [];
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly port: number) {}

  async begin(): Promise<void> {
    this.running = this.run();
  }

  /** The responses since the last call. */
  take(): { status: number; ms: number }[] {
    return this.answers.splice(0);
  }

  async end(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** The status of a response, or 0 without one. */
  async ask(path: string): Promise<number> {
    const url = `http://127.0.0.1:${this.port}${path}`;
    return fetch(url).then(
      async (response) => (await response.text(), response.status),
      () => 0,
    );
  }

  private async run(): Promise<void> {
    const sent: Promise<unknown>[] = [];
    while (!this.stopping.signal.aborted) {
      const begin = performance.now();
      sent.push(
        this.ask('/api/v1/products?limit=1').then((status) =>
          this.answers.push({ status, ms: performance.now() - begin }),
        ),
      );
      await sleep(50);
    }
    await Promise.all(sent);
  }
}

/** Starts HAProxy with the configuration of production, and a front end of plain HTTP. */
function startHaproxy(folder: string, port: number, services: readonly ServiceProcess[]): ChildProcess {
  const front = join(folder, 'front.cfg');
  writeFileSync(front, `frontend front\n  bind 127.0.0.1:${port}\n  default_backend instances\n`);
  const [INSTANCE_1, INSTANCE_2] = services.map((service) => `127.0.0.1:${service.port}`);
  const args = ['-db', '-f', 'deploy/haproxy/10-instances.cfg', '-f', front];
  return spawn('haproxy', args, { stdio: 'ignore', env: { ...process.env, INSTANCE_1, INSTANCE_2 } });
}
