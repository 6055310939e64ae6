import { Role } from '../../src/access/permissions.js';
import { Client } from './client.js';
import { Conformance } from './conformance.js';
import { createDatabase, run, TestDatabase } from './databases.js';
import { sharedService, startService } from './hosts.js';
import { DEFAULTS, Settings } from './settings.js';
import { createUser, Credentials } from './users.js';

export type { Settings } from './settings.js';

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
  stop(): Promise<void>;
}

/**
 * The service that a test file talks to.
 *
 * Without settings it is one with the defaults of `settings.ts` that other files use too, one after the other: its
 * database has their rows in it, and a file changes only what it made. With settings, `{}` too, it is the file's own,
 * on a database of its own. Neither runs in this process: where a test looks into the service or its log, see
 * `startInProcess` in `own-app.ts`.
 */
export async function startApp(settings?: Settings): Promise<TestApp> {
  if (settings) return startOn(await createDatabase(), settings);
  const { url, databaseUrl } = await sharedService(DEFAULTS);
  return connect(
    url,
    (text, values) => run(databaseUrl, text, values),
    () => Promise.resolve(),
  );
}

/** How many services of this file use a database. */
const uses = new Map<TestDatabase, number>();

/** A service of the test file's own on a database that is there; the last one to `stop()` drops it. */
export async function startOn(database: TestDatabase, settings: Settings = {}): Promise<TestApp> {
  const { url, stop } = await startService({ DATABASE_URL: database.url, ...DEFAULTS, ...settings });
  uses.set(database, (uses.get(database) ?? 0) + 1);
  return connect(
    url,
    (text, values) => database.query(text, values),
    async () => {
      await stop();
      uses.set(database, (uses.get(database) ?? 0) - 1);
      if (uses.get(database) === 0) await database.drop();
    },
  );
}

/** Clients of a service that listens. */
export async function connect(
  url: string,
  query: TestApp['query'],
  stop: () => Promise<void>,
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
  return { baseUrl, host, port: Number(port), anonymous, query, as, user, stop };
}
