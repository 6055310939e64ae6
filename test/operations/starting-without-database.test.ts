import { eventually } from '@plinth/dev/testing';

import { freePort } from '../../scripts/lib/free-port.mjs';
import { createDatabase, createFrom, databaseOf, dropIfThere, TestDatabase } from '../support/databases.js';
import { exchange, expectError, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';
import { SECRET } from '../support/settings.js';
import { TcpProxy } from '../support/tcp-proxy.mjs';

const EMPTY = `service_waiting_${process.pid}`;
const ADMIN = { email: 'ada@example.com', password: 'correct horse battery staple' };
const WITHIN_MS = 60_000;

describe('a service that starts while its database is away', () => {
  let migrated: TestDatabase;
  let proxy: TcpProxy;
  let port: number;

  beforeAll(async () => {
    migrated = await createDatabase();
    await createFrom('template0', EMPTY);
  });
  afterAll(async () => {
    await migrated.drop();
    await dropIfThere(EMPTY);
  });
  beforeEach(async () => {
    proxy = await TcpProxy.to(migrated.url);
    port = await freePort();
  });
  afterEach(() => proxy.refuse());

  const start = (url: string, settings: Record<string, string> = {}): ServiceProcess =>
    new ServiceProcess({
      DATABASE_URL: proxy.urlOf(url),
      PORT: String(port),
      JWT_SECRET: SECRET,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...settings,
    });
  const ask = async (line: string, body?: object) => {
    const headers = body ? ['Content-Type: application/json'] : [];
    return (await exchange({ host: '127.0.0.1', port }, wire(line, headers, body && JSON.stringify(body))))
      .answer;
  };
  const statusOf = (path: string): Promise<number> =>
    ask(`GET ${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  const login = async (): Promise<number> => (await ask('POST /login', ADMIN)).status;
  const stop = async (service: ServiceProcess): Promise<void> => {
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
  };

  it.each([
    ['one process', { WORKERS: '1' }],
    ['several workers', { WORKERS: '2' }],
  ])(
    'is live, says why it is not ready, and serves when the database is available: %s',
    async (_, settings) => {
      await proxy.refuse();
      const service = start(databaseOf(EMPTY), settings);
      await eventually(() => statusOf('/health/live'), 200, WITHIN_MS);
      const ready = await ask('GET /health/ready');
      expectError(ready, 503, 'NOT_READY');
      expect(ready.text).toMatch(/Not ready: no connection to the database is possible/);
      const refused = await ask('POST /login', ADMIN);
      expectError(refused, 503, 'DATABASE_UNAVAILABLE');
      expect(refused.headers.get('retry-after')).toBe('1');
      expect(service.output).not.toMatch(/ serves http/);
      // Long enough for several attempts.
      const attempts = 5;
      let sockets = 0;
      await proxy.accept();
      proxy.watch = (_data, cut) => {
        sockets++;
        if (sockets <= attempts) cut();
      };
      await service.serving();
      await eventually(() => statusOf('/health/ready'), 200, WITHIN_MS);
      expect(sockets).toBeGreaterThan(attempts);
      expect(await login()).toBe(200);
      // Each reason is reported once.
      const reports = service.output.match(/^Not ready .*$/gm) ?? [];
      expect(reports.join()).toMatch(/waits for the database: .*ECONNREFUSED/);
      expect(new Set(reports).size).toBe(reports.length);
      await stop(service);
    },
  );

  it('waits while the database accepts connections, but does not answer', async () => {
    proxy.freeze();
    const service = start(migrated.url);
    await eventually(() => statusOf('/health/live'), 200, WITHIN_MS);
    expectError(await ask('GET /health/ready'), 503, 'NOT_READY');
    proxy.thaw();
    await service.serving();
    expect(await login()).toBe(200);
    await stop(service);
  });

  it('waits while the server is a standby, which refuses to migrate', async () => {
    await dropIfThere(EMPTY);
    await createFrom('template0', EMPTY);
    const url = new URL(databaseOf(EMPTY));
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const service = start(url.href);
    await eventually(() => statusOf('/health/live'), 200, WITHIN_MS);
    expectError(await ask('GET /health/ready'), 503, 'NOT_READY');
    await stop(service);
  });

  it('ends with 0 on SIGTERM while it waits, and has not logged its password', async () => {
    await proxy.refuse();
    const url = Object.assign(new URL(migrated.url), { password: 'canary' });
    const service = start(url.href);
    await eventually(() => statusOf('/health/live'), 200, WITHIN_MS);
    await stop(service);
    expect(service.log).toMatch(/The service waits for the database/);
    // Health checks are logged at `debug`.
    expect(service.log).not.toMatch(/"method":"GET"/);
    expect(service.output + service.log).not.toContain('canary');
  });

  it('ends at once if the configuration is the cause', async () => {
    const service = start(databaseOf('no_such_database'));
    expect(await service.exited).toBe(1);
    expect(service.output).toMatch(/could not start: database "no_such_database" does not exist/);
    expect(service.output).not.toMatch(/Not ready/);
  });
});
