import { setTimeout as sleep } from 'node:timers/promises';

import { eventually } from '@plinth/dev/testing';

import { run } from '../support/databases.js';
import { DebianPostgres, hasDebianPostgres } from '../support/debian-postgres.js';
import { exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';
import { TcpProxy } from '../support/tcp-proxy.mjs';

const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';
const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };
const WITHIN_MS = 60_000;

// Replicas require the programs of a whole PostgreSQL (Debian: `apt-get install postgresql-15`). CI installs
// them.
const describeWithReplicas = hasDebianPostgres ? describe : describe.skip;

describeWithReplicas('a replica that a failover has left behind', () => {
  let servers: DebianPostgres[];
  let proxy: TcpProxy;
  let service: ServiceProcess;
  beforeAll(async () => {
    const primary = await DebianPostgres.primary();
    servers = [primary, await primary.replica(), await primary.replica()];
    const [, , replica] = servers as [DebianPostgres, DebianPostgres, DebianPostgres];
    proxy = await TcpProxy.to(primary.url);
    service = await ServiceProcess.started({
      ...ADMIN,
      DATABASE_URL: proxy.urlOf(primary.url),
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
    await proxy.refuse();
    for (const server of servers.reverse()) server.remove();
  });

  const ask = async (line: string, headers: string[] = [], body?: object) =>
    (await exchange(service, wire(line, headers, body && JSON.stringify(body)))).answer;

  it('is not read from, even if it is ahead in its own timeline', async () => {
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
    // The standby receives nothing more, but the replica does, so it is ahead when the standby is promoted.
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
    // While the service starts, its replica may have been too far behind.
    const lastSaid = (): string | undefined =>
      service.log.match(/The replica \S+ serves (?:no )?reads/g)?.at(-1);
    await eventually(() => Promise.resolve(lastSaid()?.endsWith('serves reads')), true, WITHIN_MS);
    primary.kill();
    standby.promote();
    proxy.follow(standby.url);
    const write = async (): Promise<number> =>
      (await ask(`PATCH ${PRODUCTS}/${id}`, admin, { price: 2 })).status;
    await eventually(write, 200, WITHIN_MS);
    await eventually(() => Promise.resolve(lastSaid()?.endsWith('no reads')), true, WITHIN_MS);
    // Repeated long enough for several comparisons of the positions.
    for (let i = 0; i < 40; i++) {
      expect((await ask(`GET ${PRODUCTS}/${id}`)).body).toMatchObject({ price: 2 });
      await sleep(50);
    }
  });
});
