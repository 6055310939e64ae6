import { setTimeout as sleep } from 'node:timers/promises';

import { run } from '../support/databases.js';
import { DebianPostgres, hasDebianPostgres } from '../support/debian-postgres.js';
import { eventually } from '../support/eventually.js';
import { describeWithOwnService, skipping } from '../support/needs.js';
import { exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';

const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';
const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };
const WITHIN_MS = 60_000;

const describeWithReplicas = hasDebianPostgres
  ? describeWithOwnService
  : skipping(describe, 'PostgreSQL 15 of Debian is not installed, or this is not root');

describeWithReplicas('a DATABASE_URL of several hosts', () => {
  let primary: DebianPostgres;
  let standby: DebianPostgres;
  let service: ServiceProcess;
  beforeAll(async () => {
    primary = await DebianPostgres.primary();
    standby = await primary.replica();
    primary.set({ synchronous_standby_names: '*' });
    // The standby first: it is there, and takes no writes.
    const url = `postgres://app@127.0.0.1:${standby.port},127.0.0.1:${primary.port}/app?target_session_attrs=read-write`;
    service = await ServiceProcess.started({
      ...ADMIN,
      DATABASE_URL: url,
      JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
      RATE_LIMIT: '0',
    });
  });
  afterAll(async () => {
    service.kill('SIGKILL');
    await service.exited;
    standby.remove();
    primary.remove();
  });

  it('follows the primary: writes go on after a promotion, and nothing that was acknowledged is lost', async () => {
    const login = await exchange(
      service,
      wire(
        'POST /login',
        [JSON_TYPE],
        JSON.stringify({ email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD }),
      ),
    );
    const admin = `Authorization: Bearer ${(login.answer.body as { accessToken: string }).accessToken}`;
    const acknowledged: number[] = [];
    const statuses = new Set<number>();
    const create = async (): Promise<number> => {
      const body = JSON.stringify({ name: 'Lamp', price: 1, category: 'c' });
      const { answer } = await exchange(service, wire(`POST ${PRODUCTS}`, [admin, JSON_TYPE], body));
      statuses.add(answer.status);
      if (answer.status === 201) acknowledged.push((answer.body as { id: number }).id);
      return answer.status;
    };
    const isOver = new AbortController();
    const write = async (): Promise<void> => {
      while (!isOver.signal.aborted) await create();
    };
    const writers = [write(), write(), write(), write()];
    await eventually(async () => acknowledged.length > 50, true, WITHIN_MS);
    primary.kill();
    await eventually(async () => statuses.has(503), true, WITHIN_MS);
    standby.promote();
    const promotedAt = performance.now();
    const before = acknowledged.length;
    await eventually(async () => acknowledged.length > before, true, WITHIN_MS);
    const tookMs = performance.now() - promotedAt;
    // 3 s, and what this machine takes longer than an idle one: there a connection and a write take a few milliseconds.
    const startedAt = performance.now();
    await run(standby.url, 'update products set price = price + 1 where id = $1', [acknowledged[0]]);
    expect(tookMs).toBeLessThan(3_000 + 20 * (performance.now() - startedAt));
    await eventually(async () => acknowledged.length > before + 50, true, WITHIN_MS);
    isOver.abort();
    await Promise.all(writers);
    const kept = await run(standby.url, 'select 1 from products where id = any($1::int[])', [acknowledged]);
    expect(kept).toHaveLength(acknowledged.length);
    expect([...statuses].every((status) => [201, 502, 503, 504].includes(status))).toBe(true);
    // Notifications are heard from the new primary, too: what is cached of callers is used again.
    const listens = "select 1 from pg_stat_activity where application_name like '% notifications'";
    await eventually(async () => (await run(standby.url, listens)).length, 1, WITHIN_MS);
  });
});

describeWithReplicas('a replica that a failover has left behind', () => {
  let servers: DebianPostgres[];
  let service: ServiceProcess;
  beforeAll(async () => {
    const primary = await DebianPostgres.primary();
    servers = [primary, await primary.replica(), await primary.replica()];
    const [, standby, replica] = servers as [DebianPostgres, DebianPostgres, DebianPostgres];
    service = await ServiceProcess.started({
      ...ADMIN,
      DATABASE_URL: `postgres://app@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/app`,
      DATABASE_REPLICA_URLS: replica.url,
      REPLICA_LAG_SECONDS: '1',
      JWT_SECRET: 'a-secret-of-the-tests-of-32-bytes-or-more',
      ANONYMOUS_ROLE: 'viewer',
      RATE_LIMIT: '0',
    });
  });
  afterAll(async () => {
    service.kill('SIGKILL');
    await service.exited;
    for (const server of servers.reverse()) server.remove();
  });

  const ask = async (line: string, headers: string[] = [], body?: object) =>
    (await exchange(service, wire(line, headers, body && JSON.stringify(body)))).answer;

  it('is not read from, however far it is in its own timeline', async () => {
    const [primary, standby, replica] = servers as [DebianPostgres, DebianPostgres, DebianPostgres];
    const credentials = { email: ADMIN.ADMIN_EMAIL, password: ADMIN.ADMIN_PASSWORD };
    const { accessToken } = (await ask('POST /login', [JSON_TYPE], credentials)).body as {
      accessToken: string;
    };
    const admin = [`Authorization: Bearer ${accessToken}`, JSON_TYPE];
    const lamp = { name: 'Lamp', price: 1, category: 'c' };
    const { id } = (await ask(`POST ${PRODUCTS}`, admin, lamp)).body as { id: number };
    const reached = async (): Promise<boolean> =>
      (await run(standby.url, 'select 1 from products where id = $1', [id])).length > 0;
    await eventually(reached, true, WITHIN_MS);
    // The standby hears no more, the replica does: it is further on when the standby is promoted.
    await run(standby.url, "alter system set primary_conninfo = ''");
    await run(standby.url, 'select pg_reload_conf()');
    const isAlone = async (): Promise<boolean> =>
      (await run(standby.url, 'select 1 from pg_stat_wal_receiver')).length === 0;
    await eventually(isAlone, true, WITHIN_MS);
    await run(primary.url, "create table ahead as select repeat('x', 1000) from generate_series(1, 20000)");
    const isAhead = async (): Promise<boolean> =>
      (await run<{ is: boolean }>(replica.url, "select to_regclass('ahead') is not null as is"))[0]?.is ??
      false;
    await eventually(isAhead, true, WITHIN_MS);
    primary.kill();
    standby.promote();
    const write = async (): Promise<number> =>
      (await ask(`PATCH ${PRODUCTS}/${id}`, admin, { price: 2 })).status;
    await eventually(write, 200, WITHIN_MS);
    const isLeft = (): Promise<boolean> =>
      Promise.resolve(/The replica \S+ is down or too far behind/.test(service.log));
    await eventually(isLeft, true, WITHIN_MS);
    // For as long as it takes to compare positions several times.
    for (let i = 0; i < 40; i++) {
      expect((await ask(`GET ${PRODUCTS}/${id}`)).body).toMatchObject({ price: 2 });
      await sleep(50);
    }
  });
});
