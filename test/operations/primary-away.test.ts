import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@plinth/dev/testing';

import { run } from '../support/databases.js';
import { DebianPostgres, hasDebianPostgres } from '../support/debian-postgres.js';
import { exchange, expectError, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.mjs';

const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';
const ADMIN = { email: 'ada@example.com', password: 'correct horse battery staple' };
const READER = { email: 'grace@example.com', password: 'correct horse battery staple' };
const LAG_SECONDS = 2;
const WITHIN_MS = 60_000;

// Replicas require the programs of a whole PostgreSQL (Debian: `apt-get install postgresql-15`). CI installs them.
const describeWithReplicas = hasDebianPostgres ? describe : describe.skip;

describeWithReplicas('while the primary is away, and a replica is up to date', () => {
  let primary: DebianPostgres;
  let replica: DebianPostgres;
  let proxy: TcpProxy;
  let service: ServiceProcess;
  let admin: string[];
  /** The credentials of a user who only reads, by scheme. */
  let credentials: Record<'anonymous' | 'bearer' | 'session' | 'api-key' | 'basic', string[]>;
  let id: number;

  beforeAll(async () => {
    primary = await DebianPostgres.primary();
    replica = await primary.replica();
    proxy = await TcpProxy.to(primary.url);
    service = await ServiceProcess.started({
      DATABASE_URL: proxy.urlOf(primary.url),
      DATABASE_REPLICA_URLS: replica.url,
      REPLICA_LAG_SECONDS: String(LAG_SECONDS),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
      ANONYMOUS_ROLE: 'viewer',
      RATE_LIMIT: '0',
    });
    admin = [await tokenOf(ADMIN), JSON_TYPE];
    const lamp = { name: 'Lamp', price: 1, category: 'c' };
    id = ((await ask(`POST ${PRODUCTS}`, admin, lamp)).body as { id: number }).id;
    expect((await ask('POST /api/v1/users', [JSON_TYPE], READER)).status).toBe(201);
    const bearer = await tokenOf(READER);
    const { headers } = await ask('POST /login', [JSON_TYPE], READER);
    const cookie = headers.getSetCookie().find((line) => line.startsWith('session_id='));
    const key = { name: 'reads', permissions: ['read'] };
    const created = await ask('POST /api/v1/api-keys', [bearer, JSON_TYPE], key);
    expect(created.status).toBe(201);
    credentials = {
      anonymous: [],
      bearer: [bearer],
      session: [`Cookie: ${cookie?.split(';')[0] ?? ''}`],
      'api-key': [`X-API-Key: ${(created.body as { key: string }).key}`],
      basic: [`Authorization: Basic ${btoa(`${READER.email}:${READER.password}`)}`],
    };
    await untilUsed();
  });
  afterAll(async () => {
    service.kill('SIGKILL');
    await service.exited;
    await proxy.refuse();
    replica.remove();
    primary.remove();
  });
  afterEach(async () => {
    await eventually(() => statusOf(`PATCH ${PRODUCTS}/${id}`, admin, { price: 1 }), 200, WITHIN_MS);
    await untilUsed();
  });

  const ask = async (line: string, headers: string[] = [], body?: object) =>
    (await exchange(service, wire(line, headers, body && JSON.stringify(body)), { timeoutMs: 20_000 }))
      .answer;
  const statusOf = async (line: string, headers: string[] = [], body?: object): Promise<number> =>
    (await ask(line, headers, body)).status;
  async function tokenOf(user: typeof ADMIN): Promise<string> {
    const { body } = await ask('POST /login', [JSON_TYPE], user);
    return `Authorization: Bearer ${(body as { accessToken: string }).accessToken}`;
  }
  /** Waits until the replica answers the reads of everybody. */
  async function untilUsed(): Promise<void> {
    const text = `select sum(coalesce(idx_scan, 0) + seq_scan)::int as reads from pg_stat_user_tables
      where relname = 'products'`;
    const reads = async (): Promise<number> =>
      (await run<{ reads: number }>(replica.url, text))[0]?.reads ?? 0;
    const isUsed = async (): Promise<boolean> => {
      const before = await reads();
      await ask(`GET ${PRODUCTS}/${id}`, credentials.bearer);
      return (await reads()) > before;
    };
    await eventually(isUsed, true, WITHIN_MS);
  }

  it('serves the reads of every scheme, refuses writes, and is ready', async () => {
    primary.kill();
    for (const headers of Object.values(credentials)) {
      await eventually(() => statusOf(`GET ${PRODUCTS}/${id}`, headers), 200, WITHIN_MS);
      expect((await ask(`GET ${PRODUCTS}?limit=1`, headers)).body).toMatchObject({ data: [{ id }] });
      expect(await statusOf(`GET ${PRODUCTS}`, [...headers, 'Accept: text/csv'])).toBe(200);
    }
    expect(await statusOf('GET /health/ready')).toBe(200);
    expectError(await ask(`PATCH ${PRODUCTS}/${id}`, admin, { price: 2 }), 503, 'DATABASE_UNAVAILABLE');
    // The connections to the replica die, too, but new ones are possible.
    const text = `select pg_terminate_backend(pid) from pg_stat_activity where application_name like '% reads'`;
    for (let i = 0; i < 5; i++) {
      await run(replica.url, text);
      expect(await statusOf(`GET ${PRODUCTS}/${id}`, credentials.bearer)).toBe(200);
    }
    primary.start();
    await eventually(() => Promise.resolve(service.log.includes('The primary is back')), true, WITHIN_MS);
    expect(service.log.match(/The primary is away/g)).toHaveLength(1);
  });

  it('refuses the reads of a caller who has just written, for as long as REPLICA_LAG_SECONDS', async () => {
    // The instance uses the replica only if its last commit is within a second of the last answer of the primary. On a busy
    // machine that answer may be late. The outage is then repeated, after the replica has served again.
    let refused: Awaited<ReturnType<typeof ask>> | undefined;
    let shown: object | undefined;
    const isServedAfterOutage = async (): Promise<boolean> => {
      await eventually(() => statusOf(`PATCH ${PRODUCTS}/${id}`, admin, { price: 3 }), 200, WITHIN_MS);
      await proxy.refuse();
      refused = await ask(`GET ${PRODUCTS}/${id}`, admin);
      for (let tries = 0; tries < 5 * LAG_SECONDS; tries++) {
        const { status, body } = await ask(`GET ${PRODUCTS}/${id}`, admin);
        if (status === 200) shown = body as object;
        await sleep(500);
      }
      await proxy.accept();
      const isServed = refused.status === 503 && shown !== undefined;
      if (!isServed) await untilUsed();
      return isServed;
    };
    await eventually(isServedAfterOutage, true, WITHIN_MS);
    expectError(refused!, 503, 'DATABASE_UNAVAILABLE');
    expect(shown).toMatchObject({ price: 3 });
  });

  it('refuses reads if the primary serves others, whose writes this instance does not know', async () => {
    await proxy.refuse();
    const ended = new AbortController();
    const writing = (async () => {
      while (!ended.signal.aborted) {
        await run(primary.url, 'update products set price = price + 1 where id = $1', [id]);
        await sleep(100);
      }
    })();
    await eventually(() => statusOf(`GET ${PRODUCTS}/${id}`), 503, WITHIN_MS);
    for (let i = 0; i < 20; i++) expect(await statusOf(`GET ${PRODUCTS}/${id}`)).toBe(503);
    expect(await statusOf('GET /health/ready')).toBe(503);
    ended.abort();
    await writing;
    await proxy.accept();
  });
});
