import { eventually } from '@plinth/dev/testing';

import { DebianPostgres, hasDebianPostgres } from '../support/debian-postgres.js';
import { run } from '../support/databases.js';
import { Scrape } from '../support/metrics.js';
import { exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';

const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';
const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };
const ADMIN_LOGIN = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD };
const LAG_SECONDS = 2;
const WITHIN_MS = 60_000;

// Replicas require the programs of a whole PostgreSQL (Debian: `apt-get install postgresql-15`). CI installs
// them.
const describeWithReplicas = hasDebianPostgres ? describe : describe.skip;

describeWithReplicas('read replicas', () => {
  let primary: DebianPostgres;
  let replica: DebianPostgres;
  let services: ServiceProcess[];
  let admin: string;
  let id: number;

  beforeAll(async () => {
    primary = await DebianPostgres.primary();
    replica = await primary.replica();
    const settings = {
      ...ADMIN,
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URLS: replica.url,
      REPLICA_LAG_SECONDS: String(LAG_SECONDS),
      JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
      RATE_LIMIT: '0',
      METRICS_PORT: '0',
      ANONYMOUS_ROLE: 'viewer',
    };
    services = await Promise.all([ServiceProcess.started(settings), ServiceProcess.started(settings)]);
    const login = await ask(0, 'POST /login', [JSON_TYPE], {
      email: ADMIN.ADMIN_EMAIL,
      password: ADMIN.ADMIN_PASSWORD,
    });
    admin = `Authorization: Bearer ${(login.body as { accessToken: string }).accessToken}`;
    const lamp = { name: 'Lamp', price: 1, category: 'c' };
    id = ((await ask(0, `POST ${PRODUCTS}`, [admin, JSON_TYPE], lamp)).body as { id: number }).id;
  });
  afterAll(async () => {
    for (const service of services) service.kill('SIGKILL');
    await Promise.all(services.map(({ exited }) => exited));
    replica.remove();
    primary.remove();
  });

  const ask = async (service: number, line: string, headers: string[] = [], body?: object) => {
    const target = services[service] as ServiceProcess;
    return (await exchange(target, wire(line, headers, body && JSON.stringify(body)))).answer;
  };
  const write = async (price: number): Promise<number> =>
    (await ask(0, `PATCH ${PRODUCTS}/${id}`, [admin, JSON_TYPE], { price })).status;
  /** The price of a product that a service shows, by id or in a list. */
  const priceAt = async (service: number, headers: string[] = []): Promise<number> =>
    ((await ask(service, `GET ${PRODUCTS}/${id}`, headers)).body as { price: number }).price;
  const listedAt = async (service: number, headers: string[] = []): Promise<number | undefined> => {
    const { body } = await ask(service, `GET ${PRODUCTS}?limit=1`, headers);
    return (body as { data: { price: number }[] }).data[0]?.price;
  };
  /** How many reads of rows the replica has answered for services. */
  const readsOfReplica = async (): Promise<number> => {
    const text =
      "select sum(coalesce(idx_scan, 0) + seq_scan)::int as reads from pg_stat_user_tables where relname = 'products'";
    const [row] = await run<{ reads: number }>(replica.url, text);
    return row?.reads ?? 0;
  };
  const replicaMetric = async (name: string): Promise<number> =>
    (await Scrape.of(/Metrics +(\S+)/.exec(services[0]?.output ?? '')?.[1] ?? '')).sum(name, {
      pool: 'replica_1',
    });
  const serves = (): Promise<number> => replicaMetric('database_replica_serves');
  /** Waits until the replica answers anonymous reads. */
  const untilRead = async (): Promise<void> => {
    const before = await readsOfReplica();
    const isRead = async (): Promise<boolean> => {
      await priceAt(0);
      await listedAt(1);
      return (await readsOfReplica()) > before;
    };
    await eventually(isRead, true, WITHIN_MS);
  };

  it('do not answer callers who have just written, on any instance, while the replicas are behind', async () => {
    // Replay is paused, so the replica does not have the write yet.
    await run(replica.url, 'select pg_wal_replay_pause()');
    try {
      expect(await write(2)).toBe(200);
      expect([await priceAt(0, [admin]), await listedAt(0, [admin])]).toEqual([2, 2]);
      expect([await priceAt(1, [admin]), await listedAt(1, [admin])]).toEqual([2, 2]);
      // Beyond the maximum lag, the replica answers nobody.
      await eventually(async () => `${await priceAt(0)} ${await listedAt(1)}`, '2 2', WITHIN_MS);
      // On a busy machine the replica may not serve for a moment, because a heartbeat is late.
      const isTooFarBehind = async (): Promise<boolean> =>
        (await serves()) === 0 && (await replicaMetric('database_replica_lag_seconds')) > LAG_SECONDS;
      await eventually(isTooFarBehind, true, WITHIN_MS);
      for (const service of services)
        await eventually(
          async () =>
            /The replica 127\.0\.0\.1:\d+ serves no reads: it is unreachable or too far behind/.test(
              service.log,
            ),
          true,
          WITHIN_MS,
        );
    } finally {
      await run(replica.url, 'select pg_wal_replay_resume()');
    }
    await untilRead();
  });

  it('answer other callers at the address of one who has just written or logged in', async () => {
    const user = { email: 'grace@example.com', password: 'correct horse battery staple' };
    expect((await ask(0, 'POST /api/v1/users', [JSON_TYPE], user)).status).toBe(201);
    const theirs = (await ask(0, 'POST /login', [JSON_TYPE], user)).body as { accessToken: string };
    const headers = [`Authorization: Bearer ${theirs.accessToken}`];
    await untilRead();
    // Whatever the address has done, this read is of a user who has not written recently.
    const isRead = async (): Promise<boolean> => {
      const before = await readsOfReplica();
      const { accessToken } = (await ask(0, 'POST /login', [JSON_TYPE], { ...ADMIN_LOGIN })).body as {
        accessToken: string;
      };
      const own = await ask(0, 'GET /api/v1/sessions', [`Authorization: Bearer ${accessToken}`]);
      expect((own.body as { data: unknown[] }).data.length).toBeGreaterThan(0);
      await priceAt(0, headers);
      return (await readsOfReplica()) > before;
    };
    await eventually(isRead, true, WITHIN_MS);
  });

  it('answer exports', async () => {
    await untilRead();
    const before = await readsOfReplica();
    // A replica that falls behind for a moment answers no export.
    const isRead = async (): Promise<boolean> => {
      const { status, text } = await ask(0, `GET ${PRODUCTS}`, ['Accept: text/csv']);
      expect([status, text.split(',')[0]]).toEqual([200, 'id']);
      return (await readsOfReplica()) > before;
    };
    await eventually(isRead, true, WITHIN_MS);
  });

  it('may die without an effect on requests, and are used when they are back', async () => {
    replica.kill();
    for (let i = 0; i < 20; i++) expect([await priceAt(0), await listedAt(1)]).toEqual([2, 2]);
    await eventually(serves, 0, WITHIN_MS);
    expect(await write(4)).toBe(200);
    expect([await priceAt(0, [admin]), await listedAt(1, [admin])]).toEqual([4, 4]);
    replica.start();
    await untilRead();
    await eventually(serves, 1, WITHIN_MS);
  });

  it('are no longer used once they are promoted', async () => {
    replica.promote();
    expect(await write(5)).toBe(200);
    await eventually(async () => `${await priceAt(0)} ${await listedAt(1)}`, '5 5', WITHIN_MS);
    for (let i = 0; i < 20; i++) expect(await priceAt(i % 2)).toBe(5);
  });
});
