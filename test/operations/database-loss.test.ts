import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { PRODUCT } from '../../src/config/product.js';
import { eventually } from '../support/eventually.js';
import { PostgresServer } from '../support/postgres-server.js';
import { ServerProcess } from '../support/server.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { acknowledged, createProduct, statusesOf, Write, Writers } from '../support/writers.js';

const ADMIN = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: 'a password of the tests' };
const SETTINGS = {
  ...ADMIN,
  JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
  RATE_LIMIT: '0',
  DATABASE_POOL_SIZE: '4',
  DATABASE_STATEMENT_TIMEOUT_MS: '1000',
};
/** What a write may be answered while the database fails. */
const FAULTS = [502, 503, 504];
const READY_WITHIN_MS = 10_000;

/** What was answered with 2xx is there and whole, whatever happens to the database and the connections to it. */
describe('a database that fails under writers', () => {
  let postgres: PostgresServer;
  let proxy: TcpProxy;
  let server: ServerProcess;
  let service: { baseUrl: string; headers: Record<string, string> };

  beforeAll(async () => {
    postgres = await PostgresServer.start();
    proxy = await TcpProxy.to(postgres.url);
    server = await ServerProcess.start(proxy.urlOf(postgres.url), SETTINGS);
    const login = await fetch(`${server.baseUrl}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }),
    });
    const { accessToken } = (await login.json()) as { accessToken: string };
    service = { baseUrl: server.baseUrl, headers: { authorization: `Bearer ${accessToken}` } };
  });
  afterAll(async () => {
    await server.kill();
    await proxy.refuse();
    await postgres.remove();
  });
  beforeEach(async () => {
    await postgres.query('truncate products, idempotency_keys cascade');
  });

  afterEach(async () => {
    await Promise.all(all.splice(0).map((writers) => writers.stop()));
  });

  const all: Writers[] = [];
  function startWriters(count: number): Writers {
    const writers = new Writers(service, count);
    all.push(writers);
    return writers;
  }

  const create = (name: string, hasKey = false): Promise<Write> => createProduct(service, name, hasKey);

  const isReady = async (): Promise<boolean> => fetch(`${service.baseUrl}/health/ready`).then(({ ok }) => ok);

  /** Until `count` writes of them have been answered with 201, from now on. */
  async function untilAcknowledged(writers: Writers, count: number): Promise<void> {
    const before = acknowledged(writers.writes).length;
    while (acknowledged(writers.writes).length < before + count) {
      if (!server.isAlive) throw new Error('the service has ended');
      await sleep(10);
    }
  }

  /** A service that stands still for a while has nothing under way that could be ended. */
  const isAnswered = ({ writes }: Writers, status: number): boolean => statusesOf(writes).includes(status);

  /** Everything that was acknowledged is there once, nothing is there by half, and only faults were answered beside. */
  async function expectNothingLost(writes: readonly Write[]): Promise<void> {
    expect(server.isAlive).toBe(true);
    expect(FAULTS).toEqual(expect.arrayContaining(statusesOf(writes).filter((status) => status !== 201)));
    const rows = await postgres.query<{ name: string }>('select name from products');
    const names = rows.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(acknowledged(writes)));
  }

  /**
   * Has each of three writes find a connection that is open, and idle: where they come one by one, the second waits for
   * no other one than the first had.
   */
  async function openConnections(): Promise<number> {
    await Promise.all(Array.from({ length: 8 }, () => create(randomUUID(), true)));
    const idle = `select 1 from pg_stat_activity where application_name = '${PRODUCT.databaseApplication}' and state = 'idle'`;
    return Math.min(3, (await postgres.query(idle)).length);
  }

  it('F1: statements that are given up while it is frozen take no later write with them', async () => {
    await eventually(openConnections, 3, 30_000);
    await postgres.freeze();
    const frozen = await Promise.all(['a', 'b', 'c'].map((name) => create(name, true)));
    expect(frozen.map(({ status }) => status)).toEqual([504, 504, 504]);
    postgres.thaw();
    await eventually(isReady, true, READY_WITHIN_MS);
    const writes = await Promise.all(Array.from({ length: 12 }, (_, i) => create(`after-${i}`)));
    expect(statusesOf(writes)).toEqual([201]);
    await expectNothingLost(writes);
    const open = `select 1 from pg_stat_activity where application_name = '${PRODUCT.databaseApplication}' and state ~ 'in transaction'`;
    expect(await postgres.query(open)).toEqual([]);
  });

  it('F2, F3: sessions that are ended all the time cost answers, but neither the process nor a write', async () => {
    const writers = startWriters(12);
    for (let i = 0; i < 25 || !isAnswered(writers, 502); i++) {
      await postgres.terminateSessions();
      await sleep(60);
    }
    const ended = performance.now();
    await untilAcknowledged(writers, 20);
    expect(performance.now() - ended).toBeLessThan(READY_WITHIN_MS);
    await expectNothingLost(await writers.stop());
    expect(await isReady()).toBe(true);
  });

  it('F2: a server that is stopped and started again is used again', async () => {
    const writers = startWriters(8);
    await untilAcknowledged(writers, 20);
    await postgres.stop();
    await sleep(300);
    await postgres.startAgain();
    const started = performance.now();
    await untilAcknowledged(writers, 20);
    expect(performance.now() - started).toBeLessThan(READY_WITHIN_MS);
    await expectNothingLost(await writers.stop());
  });

  it('F3: connections that are cut again and again, in COMMIT too', async () => {
    const writers = startWriters(12);
    for (let i = 0; i < 40 || !isAnswered(writers, 502); i++) {
      await sleep(Math.random() * 50);
      proxy.cut();
    }
    await untilAcknowledged(writers, 20);
    await expectNothingLost(await writers.stop());
    // A product with a key is there together with its stored answer, or not at all.
    const [counts] = await postgres.query<{ kept: number; keyed: number }>(`
      select (select count(*)::int from idempotency_keys) as kept,
        (select count(*)::int from products join idempotency_keys on (json is not null)
          and key = translate(rtrim(encode(sha256(convert_to(name, 'UTF8')), 'base64'), '='), '+/', '-_')) as keyed`);
    expect(counts!.keyed).toBe(counts!.kept);
    expect(counts!.kept).toBeGreaterThan(0);
  });

  it('a repeated request finds what became of one whose answer was lost', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `repeated-${i}`);
    const cutting = (async () => {
      for (let i = 0; i < 10; i++) {
        await sleep(20);
        proxy.cut();
      }
    })();
    let rest = names;
    for (let round = 0; rest.length > 0; round++) {
      if (round > 50) throw new Error('the service does not recover');
      const writes = await Promise.all(rest.map((name) => create(name, true)));
      // 409: PostgreSQL has not noticed yet that the connection of the first attempt is gone, and works on it.
      expect([...FAULTS, 409, 201]).toEqual(expect.arrayContaining(statusesOf(writes)));
      rest = writes.filter(({ status }) => status !== 201).map(({ name }) => name);
      if (statusesOf(writes).includes(409)) await sleep(100);
    }
    await cutting;
    const rows = await postgres.query<{ name: string }>('select name from products order by id');
    expect(rows.map(({ name }) => name).sort()).toEqual([...names].sort());
  });
});
