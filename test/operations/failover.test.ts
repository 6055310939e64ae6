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

describeWithReplicas('S9 a DATABASE_URL of several hosts', () => {
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
    const before = acknowledged.length;
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
