import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@plinth/dev/testing';
import { Client as Connection } from 'pg';

import { createDatabase, TestDatabase } from '../support/databases.js';
import { OwnApp, startInProcess } from '../support/own-app.js';
import { exchange, Exchange, expectError, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';

const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';

describe('a bound on requests in flight', () => {
  let app: OwnApp;
  let authorization: string;
  let id: number;
  let holder: Connection;

  beforeAll(async () => {
    app = await startInProcess({ MAX_IN_FLIGHT: '2' });
    const { email, password } = await app.user('admin');
    const login = await app.anonymous.post('/api/v1/login', { email, password });
    authorization = `Authorization: Bearer ${(login.body as { accessToken: string }).accessToken}`;
    const text =
      "insert into products (name, price, category) values ('Lamp', 49.9, 'lighting') returning id";
    [{ id }] = (await app.query<{ id: number }>(text)) as [{ id: number }];
    const [{ url }] = (await app.query<{ url: string }>('select current_database() as url')) as [
      { url: string },
    ];
    const server = new URL(process.env['TEST_SERVER_URL'] ?? '');
    server.pathname = `/${url}`;
    holder = new Connection({ connectionString: server.href });
    await holder.connect();
  });
  afterAll(async () => {
    await holder.end();
    await app.stop();
  });

  const hold = async (): Promise<void> => {
    await holder.query('begin');
    await holder.query('select 1 from products where id = $1 for update', [id]);
  };
  const release = (): Promise<unknown> => holder.query('rollback');
  let price = 1;
  const patch = (): Uint8Array =>
    wire(`PATCH ${PRODUCTS}/${id}`, [authorization, JSON_TYPE], JSON.stringify({ price: price++ }));
  const get = (path: string, headers: string[] = []): Promise<Exchange> =>
    exchange(app, wire(`GET ${path}`, headers));
  const isFull = async (): Promise<boolean> => (await get(PRODUCTS)).answer.status === 503;

  it('turns away what comes on top, at once and with all headers, but never health', async () => {
    await hold();
    const held = [1, 2].map(() => exchange(app, patch(), { timeoutMs: 20_000 }));
    // A look at whether it is full would take the place of the second one.
    await eventually(waiting, 2, 5_000);
    const { answer } = await get(PRODUCTS, ['X-Request-Id: shed', 'X-A: b']);
    expectError(answer, 503, 'OVERLOADED');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'retry-after': '1',
      'x-request-id': 'shed',
      'cache-control': 'no-store',
      'ratelimit-policy': '"default";q=1000000;w=60',
      'x-content-type-options': 'nosniff',
      connection: 'keep-alive',
    });
    // A body is read first, and then turned away.
    expectError((await exchange(app, patch())).answer, 503, 'OVERLOADED');
    for (const path of ['/health/live', '/health/ready']) expect((await get(path)).answer.status).toBe(200);
    await release();
    for (const { answer: done } of await Promise.all(held)) expect(done.status).toBe(200);
    expect((await get(PRODUCTS, [authorization])).answer.status).toBe(200);
    await eventually(async () => app.log.some(({ requestId }) => requestId === 'shed'), true, 5_000);
    expect(app.log.find(({ requestId }) => requestId === 'shed')).toMatchObject({
      method: 'GET',
      status: 503,
    });
  });

  it('counts the work for clients that are gone until it is done', async () => {
    await hold();
    for (let i = 0; i < 2; i++) {
      const socket = connect(app.port, app.host);
      await once(socket, 'connect');
      socket.write(patch());
      await eventually(() => waiting(), i + 1, 5_000);
      socket.destroy();
    }
    await sleep(50);
    expectError((await get(PRODUCTS)).answer, 503, 'OVERLOADED');
    await release();
    await eventually(isFull, false, 5_000);
  });

  /** How many statements wait for the lock. */
  const waiting = async (): Promise<number> => {
    const text =
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    return (await app.query(text)).length;
  };
});

describe('a process that is strained', () => {
  let database: TestDatabase;
  const running: ServiceProcess[] = [];
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterEach(async () => {
    for (const service of running) service.kill('SIGKILL');
    await Promise.all(running.splice(0).map(({ exited }) => exited));
  });
  afterAll(() => database.drop());

  const start = async (strain: string, nodeOptions: readonly string[] = []): Promise<ServiceProcess> => {
    const preload = ['--require', join(process.cwd(), 'test/support/preload/strain.cjs')];
    const settings = {
      DATABASE_URL: database.url,
      ANONYMOUS_ROLE: 'viewer',
      RATE_LIMIT: '0',
      STRAIN: strain,
    };
    const service = new ServiceProcess(settings, { nodeOptions: [...preload, ...nodeOptions] });
    running.push(service);
    await service.serving();
    return service;
  };
  const statusOf = async (service: ServiceProcess, path = PRODUCTS): Promise<number> =>
    (await exchange(service, wire(`GET ${path}`), { timeoutMs: 10_000 })).answer.status;

  it('by a single block of its event loop turns away what has piled up, and recovers', async () => {
    const service = await start('block');
    expect(await statusOf(service)).toBe(200);
    service.kill('SIGUSR2');
    await eventually(() => Promise.resolve(/blocks\n/.test(service.output)), true, 10_000);
    const piledUp = await Promise.all(
      Array.from({ length: 10 }, () => exchange(service, wire(`GET ${PRODUCTS}`), { timeoutMs: 20_000 })),
    );
    for (const { answer } of piledUp) {
      expectError(answer, 503, 'OVERLOADED');
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    expect(await statusOf(service, '/health/ready')).toBe(200);
    await eventually(() => statusOf(service), 200, 5_000);
  });

  it('by a heap near its bound turns requests away, and recovers', async () => {
    const service = await start('heap', ['--max-old-space-size=512']);
    expect(await statusOf(service)).toBe(200);
    service.kill('SIGUSR2');
    await eventually(() => statusOf(service), 503, 30_000);
    expect(await statusOf(service, '/health/live')).toBe(200);
    service.kill('SIGUSR2');
    await eventually(() => statusOf(service), 200, 30_000);
  });
});
