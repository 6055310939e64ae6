import { pino } from 'pino';

import { Role } from '../../src/access/permissions.js';
import { App, createApp } from '../../src/app.factory.js';
import { readConfig } from '../../src/config/read-config.js';
import { Client } from './client.js';
import { Conformance } from './conformance.js';
import { createDatabase, run, TestDatabase } from './databases.js';
import { createUser, Credentials } from './users.js';

/** A service under test, and clients of it. Every response that a client gets is checked against the document. */
export interface TestApp {
  readonly baseUrl: string;
  readonly host: string;
  readonly port: number;
  /** A client without credentials. */
  readonly anonymous: Client;
  /** Runs SQL in the service's database. */
  query<Row extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** A client of a new user of a role, with an access token. */
  as(role: Role): Promise<Client>;
  /** A new user of a role, for tests that log in themselves. */
  user(role: Role): Promise<Credentials>;
  /** What the service logged, a parsed line each; of a service in another process: nothing. */
  readonly log: readonly Record<string, unknown>[];
  /** The service in this process; `undefined` where it runs in another. */
  readonly app: App | undefined;
  stop(): Promise<void>;
}

const SECRET = 'a-secret-of-the-tests-of-32-bytes-or-more';

/** Environment variables for a service under test. */
export type Settings = Readonly<Record<string, string>>;

/**
 * The service that a test file talks to: one in this process on a database of its own or, where `E2E_BASE_URL` names
 * one that is already up, that one. Settings of the test's own always make one in this process.
 *
 * A service that is up also needs `E2E_DATABASE_URL`, its database, in which the tests create users.
 */
export async function startApp(settings?: Settings): Promise<TestApp> {
  const { E2E_BASE_URL: baseUrl, E2E_DATABASE_URL: databaseUrl } = process.env;
  if (!settings && baseUrl) {
    if (!databaseUrl) throw new Error('E2E_BASE_URL is set, but E2E_DATABASE_URL is not');
    return connect(baseUrl, (text, values) => run(databaseUrl, text, values), {
      stop: () => Promise.resolve(),
    });
  }
  const database = await createDatabase();
  return startOn(database, settings);
}

/** A service in this process on a database that is there; `stop()` drops it. */
export async function startOn(database: TestDatabase, settings: Settings = {}): Promise<TestApp> {
  const log: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'info', base: null },
    { write: (line: string) => log.push(JSON.parse(line) as never) },
  );
  const config = readConfig(
    { NODE_ENV: 'test', JWT_SECRET: SECRET, RATE_LIMIT: '1000000', PORT: '0', ...settings },
    () => SECRET,
  );
  const app = await createApp(config, settings['DATABASE_URL'] ?? database.url, logger);
  await app.nest.listen(0, '127.0.0.1');
  const stop = async (): Promise<void> => {
    await app.nest.close();
    await database.drop();
  };
  return connect(await app.nest.getUrl(), (text, values) => database.query(text, values), { stop, log, app });
}

async function connect(
  url: string,
  query: TestApp['query'],
  { stop, log = [], app }: { stop: () => Promise<void>; log?: Record<string, unknown>[]; app?: App },
): Promise<TestApp> {
  const baseUrl = url.replace(/\/$/, '');
  const { hostname: host, port } = new URL(baseUrl);
  const conformance = await Conformance.of(baseUrl);
  const anonymous = new Client(baseUrl, conformance);
  const user = (role: Role): Promise<Credentials> => createUser(query, role);
  const as = async (role: Role): Promise<Client> => {
    const { email, password } = await user(role);
    const login = await anonymous.post('/api/v1/login', { email, password });
    if (login.status !== 200) throw new Error(`login failed: ${login.text}`);
    const { accessToken } = login.body as { accessToken: string };
    return anonymous.with({ authorization: `Bearer ${accessToken}` });
  };
  return { baseUrl, host, port: Number(port), anonymous, query, as, user, log, app, stop };
}
