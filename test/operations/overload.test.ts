import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@plinth/dev/testing';
import { Client as Connection } from 'pg';

import { createDatabase, TestDatabase } from '../support/databases.js';
import { exchange, Exchange, expectError, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';
import { DEFAULTS } from '../support/settings.js';
import { createUser } from '../support/users.js';

const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';

/** A service with a limit on requests in flight, and one with a small heap. */
let service: ServiceProcess;
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  const settings = {
    ...DEFAULTS,
    DATABASE_URL: database.url,
    ANONYMOUS_ROLE: 'viewer',
    MAX_IN_FLIGHT: '2',
  };
  service = await ServiceProcess.started(settings, {
    nodeOptions: [
      '--require',
      join(process.cwd(), 'test/support/preload/strain.cjs'),
      '--max-old-space-size=512',
    ],
  });
});
afterAll(async () => {
  service.kill('SIGKILL');
  await service.exited;
  await database.drop();
});

describe('the limit on requests in flight', () => {
  let authorization: string;
  let id: number;
  let holder: Connection;

  beforeAll(async () => {
    const { email, password } = await createUser((text, values) => database.query(text, values), 'admin');
    const login = await exchange(
      service,
      wire('POST /login', [JSON_TYPE], JSON.stringify({ email, password })),
    );
    authorization = `Authorization: Bearer ${(login.answer.body as { accessToken: string }).accessToken}`;
    const text =
      "insert into products (name, price, category) values ('Lamp', 49.9, 'lighting') returning id";
    [{ id }] = (await database.query<{ id: number }>(text)) as [{ id: number }];
    holder = new Connection({ connectionString: database.url });
    await holder.connect();
  });
  afterAll(() => holder.end());

  const hold = async (): Promise<void> => {
    await holder.query('begin');
    await holder.query('select 1 from products where id = $1 for update', [id]);
  };
  const release = (): Promise<unknown> => holder.query('rollback');
  let price = 1;
  const patch = (): Uint8Array =>
    wire(`PATCH ${PRODUCTS}/${id}`, [authorization, JSON_TYPE], JSON.stringify({ price: price++ }));
  const get = (path: string, headers: string[] = []): Promise<Exchange> =>
    exchange(service, wire(`GET ${path}`, headers));
  const isFull = async (): Promise<boolean> => (await get(PRODUCTS)).answer.status === 503;

  it('refuses further requests at once and with all headers, but never health checks', async () => {
    await hold();
    const held = [1, 2].map(() => exchange(service, patch(), { timeoutMs: 20_000 }));
    // Asking whether the limit is reached would itself count as the second request.
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
    // A body is read before the request is refused.
    expectError((await exchange(service, patch())).answer, 503, 'OVERLOADED');
    for (const path of ['/health/live', '/health/ready']) expect((await get(path)).answer.status).toBe(200);
    await release();
    for (const { answer: done } of await Promise.all(held)) expect(done.status).toBe(200);
    expect((await get(PRODUCTS, [authorization])).answer.status).toBe(200);
    const line = (): string | undefined => /^.*"requestId":"shed".*\n/m.exec(service.log)?.[0];
    await eventually(() => Promise.resolve(line() !== undefined), true, 5_000);
    expect(JSON.parse(line() ?? '')).toMatchObject({ method: 'GET', status: 503 });
  });

  it('counts the work for a client that has left until the work is done', async () => {
    await hold();
    for (let i = 0; i < 2; i++) {
      const socket = connect(service.port, service.host);
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
    return (await database.query(text)).length;
  };
});

describe('an overloaded process', () => {
  const statusOf = async (path = PRODUCTS): Promise<number> =>
    (await exchange(service, wire(`GET ${path}`), { timeoutMs: 10_000 })).answer.status;

  it('refuses the requests that piled up while its event loop was blocked, and recovers', async () => {
    expect(await statusOf()).toBe(200);
    service.kill('SIGUSR2');
    await eventually(() => Promise.resolve(/blocks\n/.test(service.output)), true, 10_000);
    const piledUp = await Promise.all(
      Array.from({ length: 10 }, () => exchange(service, wire(`GET ${PRODUCTS}`), { timeoutMs: 20_000 })),
    );
    for (const { answer } of piledUp) {
      expectError(answer, 503, 'OVERLOADED');
      expect(answer.headers.get('retry-after')).toBe('5');
    }
    expect(await statusOf('/health/ready')).toBe(200);
    await eventually(() => statusOf(), 200, 5_000);
  });

  it('refuses requests while its heap is almost full, and recovers', async () => {
    expect(await statusOf()).toBe(200);
    service.kill('SIGALRM');
    await eventually(() => statusOf(), 503, 30_000);
    expect(await statusOf('/health/live')).toBe(200);
    service.kill('SIGALRM');
    await eventually(() => statusOf(), 200, 30_000);
  });
});
