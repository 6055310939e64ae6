import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { AddressInfo, createServer } from 'node:net';

import { eventually } from '@plinth/dev/testing';
import { Client as Connection } from 'pg';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import {
  createFrom,
  createDatabase,
  databaseOf,
  dropIfThere,
  run,
  TestDatabase,
  waitersForLocks,
} from '../support/databases.js';
import { exchange, expectError, wire } from '../support/raw-http.js';
import { isRefused, ServiceProcess } from '../support/service-process.js';

const ADMIN_EMAIL = `admin@${PRODUCT.emailDomain}`;

const PRODUCTS = '/api/v1/products';
const JSON_TYPE = 'Content-Type: application/json';
const ADMIN = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'correct horse battery staple' };

const running: ServiceProcess[] = [];
const keep = (service: ServiceProcess): ServiceProcess => {
  running.push(service);
  return service;
};
const start = async (
  database: { url: string },
  settings: Record<string, string> = {},
): Promise<ServiceProcess> => {
  const service = keep(new ServiceProcess({ DATABASE_URL: database.url, ...settings }));
  await service.serving();
  return service;
};
afterEach(async () => {
  for (const service of running) service.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ exited }) => exited));
});

const logIn = async (service: ServiceProcess, email: string, password: string): Promise<string> => {
  const { answer } = await exchange(
    service,
    wire('POST /login', [JSON_TYPE], JSON.stringify({ email, password })),
  );
  if (answer.status !== 200) throw new Error(`login: ${answer.text}`);
  return `Authorization: Bearer ${(answer.body as { accessToken: string }).accessToken}`;
};

// What takes long without work runs beside the rest.
let withoutDatabase: ServiceProcess;
beforeAll(async () => {
  withoutDatabase = new ServiceProcess({ DATABASE_URL: 'postgres://u:canary@127.0.0.1:1/d' });
});
afterAll(async () => {
  withoutDatabase.kill('SIGKILL');
});

/** An exit in time: the code, and how long it took. */
const exitOf = async (service: ServiceProcess): Promise<{ code: unknown; ms: number }> => {
  const started = performance.now();
  const code = await service.exited;
  return { code, ms: performance.now() - started };
};

describe('the first start', () => {
  const name = `service_test_empty_${randomBytes(6).toString('hex')}`;
  beforeAll(() => createFrom('template0', name));
  afterAll(() => dropIfThere(name));

  it('of two at once on an empty database migrates once, makes one admin and says so once', async () => {
    const database = { url: databaseOf(name) };
    const both = await Promise.all([1, 2].map(() => start(database, { DOCS: 'true' })));
    for (const service of both) {
      expect((await exchange(service, wire('GET /health/ready'))).answer.status).toBe(200);
    }
    expect(await run(database.url, 'select email, role from users')).toEqual([
      { email: ADMIN_EMAIL, role: 'admin' },
    ]);
    const told = both.filter(({ output }) => output.includes('Password'));
    expect(told).toHaveLength(1);
    const [first] = told as [ServiceProcess];
    expect(first.output).toMatch(/Docs +http:\/\/127\.0\.0\.1:\d+\/docs/);
    expect(first.output).toMatch(new RegExp(`Admin +${ADMIN_EMAIL}`));
    const [, file = ''] = /Password +in (\S+)/.exec(first.output) ?? [];
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const password = readFileSync(file, 'utf8').trim();
    expect(password).toMatch(/^\S{12,}$/);
    expect(first.output).not.toContain(password);
    for (const service of both) {
      const authorization = await logIn(service, ADMIN_EMAIL.toUpperCase(), password);
      expect((await exchange(service, wire(`GET ${PRODUCTS}`, [authorization]))).answer.status).toBe(200);
      expect(service.log).not.toContain(password);
    }
    const again = await start(database);
    expect(again.output).toMatch(/ serves http/);
    expect(again.output).not.toMatch(/Admin|Password/);
  });
});

describe('an administrator whose password is generated', () => {
  const name = `service_test_admin_${randomBytes(6).toString('hex')}`;
  beforeAll(() => createFrom('template0', name));
  afterAll(() => dropIfThere(name));
  const passwordOf = ({ output }: ServiceProcess): string =>
    readFileSync(/Password +in (\S+)/.exec(output)?.[1] ?? '', 'utf8').trim();

  it('is announced although the start fails after that, and gets a new password by admin:reset', async () => {
    const database = { url: databaseOf(name) };
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    const failing = keep(new ServiceProcess({ DATABASE_URL: database.url, PORT: String(port) }));
    expect(await failing.exited).toBe(1);
    blocker.close();
    const first = passwordOf(failing);
    const service = await start(database);
    const login = (password: string): Promise<string> => logIn(service, ADMIN_EMAIL, password);
    const session = await login(first);

    const settings = { DATABASE_URL: database.url };
    const reset = keep(new ServiceProcess(settings, { program: 'dist/src/admin-reset.js' }));
    expect(await reset.exited).toBe(0);
    const second = passwordOf(reset);
    expect(second).not.toBe(first);
    await login(second);
    await expect(login(first)).rejects.toThrow('INVALID_CREDENTIALS');
    expect(session).toMatch(/^Authorization/);
    const stranger = keep(
      new ServiceProcess(
        { ...settings, ADMIN_EMAIL: 'no@body.example' },
        { program: 'dist/src/admin-reset.js' },
      ),
    );
    expect(await stranger.exited).toBe(1);
    expect(stranger.output).toMatch(
      /ADMIN_EMAIL: got "no@body\.example", takes the e-mail of an administrator/,
    );
  });

  it('is not stored where its password could not be handed over', async () => {
    const database = await createDatabase();
    try {
      const service = keep(
        new ServiceProcess({
          DATABASE_URL: database.url,
          DATA_DIR: '/dev/null/data',
          JWT_SECRET: 'x'.repeat(32),
        }),
      );
      expect(await service.exited).toBe(1);
      expect(service.output).toMatch(
        /password of the administrator cannot be written to .*: set ADMIN_PASSWORD/,
      );
      expect(await database.query('select 1 from users')).toEqual([]);
    } finally {
      await database.drop();
    }
  });
});

describe('a process that is told to stop', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  it('answers what it was asked, takes nothing new, and ends with 0', async () => {
    const service = await start(database, ADMIN);
    const authorization = await logIn(service, ADMIN.ADMIN_EMAIL, ADMIN.ADMIN_PASSWORD);
    const lamp = JSON.stringify({ name: 'Lamp', price: 1, category: 'c' });
    const created = await exchange(service, wire(`POST ${PRODUCTS}`, [authorization, JSON_TYPE], lamp));
    const { id } = created.answer.body as { id: number };
    const holder = new Connection({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from products where id = $1 for update', [id]);
    const pending = exchange(
      service,
      wire(`PATCH ${PRODUCTS}/${id}`, [authorization, JSON_TYPE], '{"price":2}'),
    );
    const silent = exchange(service, ['']);
    const halfHeader = exchange(service, ['GET /health/live HTTP/1.1\r\nHost: a\r\n']);
    let goOn = (): void => undefined;
    const stopping = new Promise<void>((resolve) => (goOn = resolve));
    const probe = exchange(service, ['GET /health/ready HTTP/1.1\r\nHost: a\r\n', stopping, '\r\n']);
    const late = exchange(service, [`GET ${PRODUCTS} HTTP/1.1\r\nHost: a\r\n`, stopping, '\r\n']);
    await waitersForLocks(database.url, 1);
    // What was connected before this one is known to the service when it answers.
    await exchange(service, wire('GET /health/live'));
    service.kill('SIGTERM');
    await eventually(() => isRefused(service), true, 30_000);
    goOn();
    // A second one changes nothing.
    service.kill('SIGTERM');
    expectError((await probe).answer, 503, 'NOT_READY');
    const served = (await late).answer;
    expectError(served, 401, 'AUTHENTICATION_REQUIRED');
    expect(served.headers.get('connection')).toBe('close');
    const exit = exitOf(service);
    await holder.query('rollback');
    await holder.end();
    const { answer } = await pending;
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ price: 2 })]);
    const { code, ms } = await exit;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
    for (const connection of [silent, halfHeader]) expect((await connection).isClosed).toBe(true);
    expect(await database.query('select price from products where id = $1', [id])).toEqual([
      { price: '2.00' },
    ]);
    const lines = service.log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(expect.objectContaining({ method: 'PATCH', status: 200 }));
  });
});

describe('a faulty environment', () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      'wrong values',
      { PORT: 'abc', RATE_LIMIT: '-1', DATABASE_URL: 'mysql://u:canary@h/d', JWT_SECRET: 'too-short-canary' },
      ['PORT', 'RATE_LIMIT', 'JWT_SECRET', 'DATABASE_URL'],
    ],
    ['what production needs missing', { NODE_ENV: 'production' }, ['DATABASE_URL', 'JWT_SECRET', 'SMTP_URL']],
  ])('of %s ends the process with a line for each fault', async (_what, settings, names) => {
    const service = keep(new ServiceProcess(settings));
    expect(await service.exited).toBe(1);
    const lines = service.output.trim().split('\n');
    expect(lines.map((line) => line.split(':')[0]).sort()).toEqual([...names].sort());
    for (const line of lines) expect(line).toMatch(/: (got .+, takes|unset, ).+/);
    expect(service.output + service.log).not.toMatch(/canary|\n +at /);
  });

  it('of a database that is not there ends it with the reason', async () => {
    expect(await withoutDatabase.exited).toBe(1);
    expect(withoutDatabase.output).toMatch(/could not start: .*ECONNREFUSED/);
    expect(withoutDatabase.output + withoutDatabase.log).not.toContain('canary');
  });

  it('of a port that is taken ends it with the reason', async () => {
    const database = await createDatabase();
    try {
      const first = await start(database);
      const second = keep(new ServiceProcess({ DATABASE_URL: database.url, PORT: String(first.port) }));
      expect(await second.exited).toBe(1);
      expect(second.output).toMatch(/could not start: .*EADDRINUSE.*127\.0\.0\.1:\d+/);
      expect(second.output + second.log).not.toMatch(/\bat .+:\d+:\d+/);
    } finally {
      for (const service of running) service.kill('SIGKILL');
      await database.drop();
    }
  });
});
