import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { AddressInfo, createServer } from 'node:net';

import { PRODUCT } from '../../packages/core/src/config/product.js';
import { createDatabase, createFrom, databaseOf, dropIfThere } from '../support/databases.js';
import { exchange, wire } from '../support/raw-http.js';
import { ServiceProcess } from '../support/service-process.js';

const ADMIN_EMAIL = `admin@${PRODUCT.emailDomain}`;

const JSON_TYPE = 'Content-Type: application/json';

const running: ServiceProcess[] = [];
const keep = (service: ServiceProcess): ServiceProcess => {
  running.push(service);
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

// Runs in parallel, because these starts take long but need little processor time.
let withoutDatabase: ServiceProcess;
const name = `service_test_empty_${randomBytes(6).toString('hex')}`;
const database = { url: databaseOf(name) };
/** The first start on an empty database, with a port that is in use. */
let failing: ServiceProcess;
beforeAll(async () => {
  // The service itself would wait for the database.
  const DATABASE_URL = 'postgres://u:canary@127.0.0.1:1/d';
  withoutDatabase = new ServiceProcess({ DATABASE_URL }, { program: 'dist/src/migrate.js' });
  await createFrom('template0', name);
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as AddressInfo;
  failing = new ServiceProcess({ DATABASE_URL: database.url, PORT: String(port) });
  await failing.exited;
  blocker.close();
});
afterAll(async () => {
  withoutDatabase.kill('SIGKILL');
  await dropIfThere(name);
});

describe('an administrator whose password is generated', () => {
  const passwordOf = ({ output }: ServiceProcess): string =>
    readFileSync(/Password +in (\S+)/.exec(output)?.[1] ?? '', 'utf8').trim();

  it('is announced even if the start fails afterwards, and gets a new password with admin:reset', async () => {
    expect(await failing.exited).toBe(1);
    const first = passwordOf(failing);
    const service = keep(await ServiceProcess.started({ DATABASE_URL: database.url }));
    // This is not the first start.
    expect(service.output).toMatch(/ serves http/);
    expect(service.output).not.toMatch(/Admin|Password/);
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
      /ADMIN_EMAIL: must be the e-mail of an administrator \(got "no@body\.example"\)/,
    );
  });

  it('is not stored if the password could not be announced', async () => {
    const own = await createDatabase();
    try {
      const service = keep(
        new ServiceProcess({
          DATABASE_URL: own.url,
          DATA_DIR: '/dev/null/data',
          JWT_SECRET: 'x'.repeat(32),
        }),
      );
      expect(await service.exited).toBe(1);
      expect(service.output).toMatch(
        /password of the administrator cannot be written to .*: set ADMIN_PASSWORD/,
      );
      expect(await own.query('select 1 from users')).toEqual([]);
    } finally {
      await own.drop();
    }
  });
});

describe('a faulty environment', () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      'wrong values',
      { PORT: 'abc', RATE_LIMIT: '-1', DATABASE_URL: 'mysql://u:canary@h/d', JWT_SECRET: 'too-short-canary' },
      ['PORT', 'RATE_LIMIT', 'JWT_SECRET', 'DATABASE_URL'],
    ],
    [
      'the missing settings of production',
      { NODE_ENV: 'production' },
      ['DATABASE_URL', 'JWT_SECRET', 'SMTP_URL'],
    ],
  ])('ends the process with a line for each of %s', async (_what, settings, names) => {
    const service = keep(new ServiceProcess(settings));
    expect(await service.exited).toBe(1);
    const lines = service.output.trim().split('\n');
    expect(lines.map((line) => line.split(':')[0]).sort()).toEqual([...names].sort());
    for (const line of lines) expect(line).toMatch(/: (must be .+ \(got .+\)|is required in production)/);
    expect(service.output + service.log).not.toMatch(/canary|\n +at /);
  });

  it('ends a migration with the reason if the database is missing', async () => {
    expect(await withoutDatabase.exited).toBe(1);
    expect(withoutDatabase.output).toMatch(/could not start: .*ECONNREFUSED/);
    expect(withoutDatabase.output + withoutDatabase.log).not.toContain('canary');
  });

  it('ends the process with the reason if the port is in use', async () => {
    expect(await failing.exited).toBe(1);
    expect(failing.output).toMatch(/could not start: .*EADDRINUSE.*127\.0\.0\.1:\d+/);
    expect(failing.output + failing.log).not.toMatch(/\bat .+:\d+:\d+/);
  });
});
