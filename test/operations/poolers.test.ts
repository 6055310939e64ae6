import { eventually } from '@plinth/dev/testing';
import { Client } from 'pg';

import { createFrom, databaseOf, dropIfThere, run } from '../support/databases.js';
import { DEBIAN_PGBOUNCER, hasPgBouncer, PgBouncer, PgBouncerOptions } from '../support/pgbouncer.js';
import { exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';
import { SECRET } from '../support/settings.js';
import { CONFIRM, MailServer, register } from '../support/smtp.js';

const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';
const ADMIN = { email: 'ada@example.com', password: 'correct horse battery staple' };
const STATEMENT_TIMEOUT_MS = 1_500;
const LAMP = { name: 'Lamp', price: 1, category: 'c' };

// Debian: `apt-get install pgbouncer`. CI installs it.
const describeWithPgBouncer = hasPgBouncer ? describe : describe.skip;

const POOLERS: readonly (readonly [string, PgBouncerOptions])[] = [
  ["session mode with Debian's PgBouncer", { mode: 'session', program: DEBIAN_PGBOUNCER }],
  ['session mode', { mode: 'session', settings: { max_prepared_statements: 0 } }],
  // With fewer connections to the server than to clients, statements of one client run on several connections.
  [
    'transaction mode',
    { mode: 'transaction', settings: { max_prepared_statements: 200, default_pool_size: 4 } },
  ],
];

describeWithPgBouncer.each(POOLERS)('a service behind PgBouncer in %s', (title, options) => {
  const name = `service_pooled_${process.pid}_${POOLERS.findIndex(([other]) => other === title)}`;
  const direct = databaseOf(name);
  let pooler: PgBouncer;
  let smtp: MailServer;
  let service: ServiceProcess;
  let admin: string[];

  const settings = (): Record<string, string> => ({
    DATABASE_URL: pooler.url,
    DATABASE_STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS),
    JWT_SECRET: SECRET,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    SMTP_URL: smtp.url,
    RATE_LIMIT: '0',
  });
  const start = (others: Record<string, string> = {}): Promise<ServiceProcess> =>
    ServiceProcess.started({ ...settings(), ...others });

  /** Does what the docs say about transaction mode: refuses to migrate through it, and sets the limits by the database. */
  async function migrateDirectly(): Promise<void> {
    const refused = new ServiceProcess(settings());
    expect(await refused.exited).toBe(1);
    expect(refused.output).toMatch(
      /DATABASE_URL: must not lead to a pooler in transaction mode if migrations run/,
    );
    expect(await run(direct, "select to_regclass('migrations') as found")).toEqual([{ found: null }]);
    const migration = new ServiceProcess({ DATABASE_URL: direct }, { program: 'dist/src/migrate.js' });
    expect(await migration.exited).toBe(0);
    await run(direct, `alter database "${name}" set statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
  }

  beforeAll(async () => {
    await createFrom('template0', name);
    pooler = await PgBouncer.start(direct, options);
    smtp = await new MailServer().start();
    if (options.mode === 'transaction') {
      await migrateDirectly();
      service = await start({ DATABASE_MIGRATE: 'false' });
      await eventually(async () => (await ask('GET /health/ready', [])).status, 200, 30_000);
      await eventually(() => Promise.resolve(service.output.includes(ADMIN.email)), true, 30_000);
    } else {
      // Two instances migrate the empty database at once.
      const [other, own] = await Promise.all([start(), start()]);
      other.kill('SIGTERM');
      service = own;
    }
    const { body } = await ask('POST /login', [JSON_TYPE], ADMIN);
    admin = [`Authorization: Bearer ${(body as { accessToken: string }).accessToken}`, JSON_TYPE];
  });
  afterAll(async () => {
    service.kill('SIGKILL');
    await service.exited;
    await smtp.stop();
    await pooler.stop();
    await dropIfThere(name);
  });

  const ask = async (line: string, headers: string[] = admin, body?: object) =>
    (await exchange(service, wire(line, headers, body && JSON.stringify(body)), { timeoutMs: 20_000 }))
      .answer;

  it('has migrated the database once', async () => {
    const [row] = await run<{ ran: number; names: number }>(
      direct,
      'select count(*)::int as ran, count(distinct name)::int as names from migrations',
    );
    expect(row?.ran).toBe(row?.names);
    expect(row?.ran).toBeGreaterThan(2);
  });

  it('serves reads, writes, batches and exports of many clients at once', async () => {
    const clients = Array.from({ length: 12 }, async (_, i) => {
      const created = await ask(`POST ${PRODUCTS}`, admin, { ...LAMP, name: `Lamp ${i}` });
      expect(created.status).toBe(201);
      const { id } = created.body as { id: number };
      const operations = [
        { method: 'update', id, body: { price: i + 2 } },
        { method: 'create', body: LAMP },
      ];
      expect((await ask(`POST ${PRODUCTS}/batch`, admin, { operations })).status).toBe(200);
      const repeated = [...admin, `Idempotency-Key: order-${i}`];
      const items = { items: [{ productId: id, quantity: 1 }] };
      for (let n = 0; n < 2; n++)
        expect((await ask('POST /api/v1/users/1/orders', repeated, items)).status).toBe(201);
      expect((await ask(`GET ${PRODUCTS}/${id}`)).body).toMatchObject({ price: i + 2 });
      expect((await ask(`GET ${PRODUCTS}?sort=price:desc&limit=5`)).status).toBe(200);
    });
    await Promise.all(clients);
    const csv = await ask(`GET ${PRODUCTS}`, [...admin, 'Accept: text/csv']);
    expect([csv.status, csv.text.trim().split('\n').length]).toEqual([200, 25]);
    const { body } = await ask(`GET /api/v1/orders?limit=1`);
    expect(body).toMatchObject({ pagination: { total: 12 } });
  });

  it('sends mails', async () => {
    await smtp.mails(await register(service), CONFIRM);
  });

  it('has a limit for statements, which PostgreSQL enforces', async () => {
    const holder = new Client({ connectionString: direct });
    await holder.connect();
    await holder.query('begin; lock table products in access exclusive mode');
    try {
      const answers = await Promise.all([1, 2, 3].map(() => ask(`POST ${PRODUCTS}`, admin, LAMP)));
      expect(answers.map(({ status }) => status)).toEqual([504, 504, 504]);
      const text = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      expect(await run(direct, text)).toEqual([]);
    } finally {
      await holder.end();
    }
    expect((await ask(`POST ${PRODUCTS}`, admin, LAMP)).status).toBe(201);
  });
});
