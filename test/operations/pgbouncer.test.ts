import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { createFrom, databaseOf, dropIfThere, run } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { describeWithOwnService, skipping } from '../support/needs.js';
import { hasPgBouncer, PgBouncer } from '../support/pgbouncer.js';
import { exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';
import { SECRET } from '../support/settings.js';
import { TcpProxy } from '../support/tcp-proxy.js';

const NAME = `service_pooled_${process.pid}`;
const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };
const JSON_TYPE = 'Content-Type: application/json';
const PRODUCTS = '/api/v1/products';
const WITHIN_MS = 60_000;
/** Three times as many requests wait for a session at once: for less than 4 s, after which PgBouncer gives them up. */
const COUNT = 24;

const describeWithPgBouncer = hasPgBouncer
  ? describeWithOwnService
  : skipping(describe, 'PgBouncer of Debian is not installed, or this is not root');

describeWithPgBouncer('DATABASE_POOLER=transaction behind PgBouncer', () => {
  let server: TcpProxy;
  let pooler: PgBouncer;
  let services: ServiceProcess[];
  let admin: string;

  beforeAll(async () => {
    await createFrom('template0', NAME);
    const url = databaseOf(NAME);
    await run(url, `alter database "${NAME}" set statement_timeout = '4s'`);
    server = await TcpProxy.to(url);
    pooler = await PgBouncer.inFrontOf(server.urlOf(url));
    const settings = {
      ...ADMIN,
      DATABASE_URL: pooler.url,
      DATABASE_POOLER: 'transaction',
      JWT_SECRET: SECRET,
      RATE_LIMIT: '0',
      METRICS_PORT: '0',
    };
    // Both find an empty database at the same time.
    services = await Promise.all([ServiceProcess.started(settings), ServiceProcess.started(settings)]);
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = ADMIN;
    const login = await ask(0, 'POST /login', [JSON_TYPE], { email, password });
    admin = `Authorization: Bearer ${(login.body as { accessToken: string }).accessToken}`;
  });
  afterAll(async () => {
    for (const service of services) service.kill('SIGKILL');
    await Promise.all(services.map(({ exited }) => exited));
    await pooler.remove();
    await server.refuse();
    await dropIfThere(NAME);
  });

  const ask = async (service: number, line: string, headers: string[] = [admin], body?: object) => {
    const target = services[service] as ServiceProcess;
    return (await exchange(target, wire(line, headers, body && JSON.stringify(body)))).answer;
  };
  const create = (service: number, name: string) =>
    ask(service, `POST ${PRODUCTS}`, [admin, JSON_TYPE], { name, price: 1, category: 'c' });

  it('instances that start together migrate once, and leave nothing in the sessions of the server', async () => {
    const migrated = await run(databaseOf(NAME), 'select name from migrations');
    expect(migrated.length).toBeGreaterThan(0);
    expect(new Set(migrated.map((row) => JSON.stringify(row))).size).toBe(migrated.length);
    await promisify(execFile)(process.execPath, [join(process.cwd(), 'dist/src/migrate.js'), '--plan'], {
      env: { PATH: process.env['PATH'], DATABASE_URL: pooler.url, DATABASE_POOLER: 'transaction' },
    });
    const settings = `select current_setting('statement_timeout') as timeout,
      current_setting('default_transaction_read_only') as "isReadOnly", pg_sleep(0.05)::text as slept`;
    // At the same time: on each of the two sessions.
    const found = await Promise.all([1, 2, 3, 4].map(() => run(pooler.url, settings)));
    const clean = { timeout: '4s', isReadOnly: 'off', slept: '' };
    expect(found.flat()).toEqual([clean, clean, clean, clean]);
    // Those of a job end with its transaction; the server has other tests' databases too.
    const locks = `select 1 from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and datname = current_database()`;
    await eventually(async () => (await run(databaseOf(NAME), locks)).length, 0, WITHIN_MS);
  });

  it('says which setting of the role is missing', async () => {
    const warning = /alter role … set idle_in_transaction_session_timeout/;
    for (const service of services)
      await eventually(() => Promise.resolve(warning.test(service.log)), true, WITHIN_MS);
    expect(services[0]!.log).not.toContain('set statement_timeout');
  });

  it('answers requests at the same time by few sessions, which know no prepared statements', async () => {
    const names = Array.from({ length: COUNT }, (_, i) => `Lamp ${i}`);
    const created = await Promise.all(names.map((name, i) => create(i % 2, name)));
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));
    const ids = created.map(({ body }) => (body as { id: number }).id);
    const reads = ids.flatMap((id, i) => [
      ask(i % 2, `GET ${PRODUCTS}/${id}`),
      ask(i % 2, `GET ${PRODUCTS}?limit=5&page=${(i % 4) + 1}`),
      ask(i % 2, `PATCH ${PRODUCTS}/${id}`, [admin, JSON_TYPE], { price: i + 1 }),
    ]);
    expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await ask(0, `GET ${PRODUCTS}?limit=1`);
    expect((body as { pagination: { total: number } }).pagination.total).toBe(COUNT);
    const order = { items: [{ productId: ids[0], quantity: 2 }] };
    const keyed = [admin, JSON_TYPE, 'Idempotency-Key: an-order'];
    const orders = [0, 1].map((service) => ask(service, 'POST /api/v1/users/1/orders', keyed, order));
    const statuses = (await Promise.all(orders)).map(({ status }) => status);
    expect(statuses.every((status) => [201, 409].includes(status))).toBe(true);
    const again = await ask(1, 'POST /api/v1/users/1/orders', keyed, order);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
    const sessions =
      "select 1 from pg_stat_activity where application_name <> '' and datname = current_database()";
    expect((await run(databaseOf(NAME), sessions)).length).toBeLessThanOrEqual(2);
  });

  it('makes a key that is revoked, and a grant, known to other instances within moments', async () => {
    const { body } = await ask(0, 'POST /api/v1/api-keys', [admin, JSON_TYPE], { name: 'k' });
    const { id, key } = body as { id: number; key: string };
    const readBy = async (service: number): Promise<number> =>
      (await ask(service, `GET ${PRODUCTS}/1`, [`X-API-Key: ${key}`])).status;
    expect([await readBy(0), await readBy(1)]).toEqual([200, 200]);
    const grant = {
      resourceType: 'product',
      resourceId: 1,
      apiKeyId: id,
      permissions: ['read'],
      effect: 'deny',
    };
    expect((await ask(0, 'POST /api/v1/access-grants', [admin, JSON_TYPE], grant)).status).toBe(201);
    for (const service of [0, 1]) await eventually(() => readBy(service), 403, WITHIN_MS);
    expect((await ask(0, `DELETE /api/v1/api-keys/${id}`)).status).toBe(204);
    for (const service of [0, 1]) await eventually(() => readBy(service), 401, WITHIN_MS);
  });

  it('answers 503 while the server takes no connections, and goes on when it does', async () => {
    await server.refuse();
    await eventually(async () => (await ask(0, `GET ${PRODUCTS}/1`)).status, 503, WITHIN_MS);
    const refused = await ask(0, `GET ${PRODUCTS}/1`);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    await server.accept();
    await eventually(async () => (await ask(0, `GET ${PRODUCTS}/1`)).status, 200, WITHIN_MS);
    expect((await create(1, 'Later')).status).toBe(201);
  });
});
