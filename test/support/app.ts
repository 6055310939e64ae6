import { Client, Conformance, createUser, Credentials, logIn } from '@plinth/dev/testing';

import { Role } from '../../packages/core/src/config/define-access.js';
import { createDatabase, TestDatabase } from './databases.js';
import { Policies, sharedService, startService } from './hosts.js';
import { runOnKept } from './kept-connections.js';
import { DEFAULTS, Settings, UNDOCUMENTED } from './settings.js';

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
  /** The policies of the service's routes, by `METHOD path`, as far as JSON carries them. */
  policies(): Promise<Policies>;
  stop(): Promise<void>;
}

/**
 * The service that a test file talks to.
 *
 * Without settings it is one with the defaults of `settings.ts` that other files use too, one after the other: its
 * database has their rows in it, and a file changes only what it made. With settings, `{}` too, it is the file's own,
 * on a database of its own. None runs in this process: where a test looks into the service or its log, see
 * `startInProcess` in `own-app.ts`.
 */
export async function startApp(settings?: Settings): Promise<TestApp> {
  if (settings) return startOn(await createDatabase(), settings);
  const { url, databaseUrl, policies } = await sharedService(DEFAULTS);
  const means = createDatabaseAccess((text, values) => runOnKept(databaseUrl, text, values));
  return connect(url, { policies, ...means });
}

/** The service of `startApp` for the tests that follow, of a file or of a `describe`: it stops after them. */
export function useApp(settings?: Settings): TestApp {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(settings);
  });
  afterAll(() => app.stop());
  return createProxy(() => app);
}

/** A client of a new user of a role, for the tests that follow. */
export function useClient(app: TestApp, role: Role): Client {
  let client: Client;
  beforeAll(async () => {
    client = await app.as(role);
  });
  return createProxy(() => client);
}

/** What is there once the hooks have run. */
export const createProxy = <T extends object>(get: () => T): T =>
  new Proxy({} as T, {
    get(_target, name) {
      const value: unknown = Reflect.get(get(), name);
      return typeof value === 'function' ? (value.bind(get()) as unknown) : value;
    },
  });

/** How many services of this file use a database. */
const databaseUses = new Map<TestDatabase, number>();

/** A service of the test file's own on a database that is there; the last one to `stop()` drops it. */
export async function startOn(database: TestDatabase, settings: Settings = {}): Promise<TestApp> {
  const { url, policies, stop } = await startService({
    DATABASE_URL: database.url,
    ...UNDOCUMENTED,
    ...settings,
  });
  databaseUses.set(database, (databaseUses.get(database) ?? 0) + 1);
  const means = { policies, ...createDatabaseAccess((text, values) => database.query(text, values)) };
  const end = async (): Promise<void> => {
    await stop();
    databaseUses.set(database, (databaseUses.get(database) ?? 0) - 1);
    if (databaseUses.get(database) === 0) await database.drop();
  };
  return connect(url, means, end, await documented());
}

/** The URL of a service that has built the document of all that have no modules of a test: building it takes 0.3 s. */
export const documented = async (): Promise<string> => (await sharedService(DEFAULTS)).url;

/** How tests make users, and look into the database and the service where they may. */
export type TestDatabaseAccess = Pick<TestApp, 'query' | 'user' | 'policies'>;

/** Users are put into the database: sooner than by the API, and without an administrator. */
export const createDatabaseAccess = (query: TestApp['query']): Omit<TestDatabaseAccess, 'policies'> => ({
  query,
  user: (role) => createUser(query, role),
});

/** Clients of a service that listens. @param documentedAt the URL of a service that has the same document */
export async function connect(
  url: string,
  means: TestDatabaseAccess,
  stop = (): Promise<void> => Promise.resolve(),
  documentedAt = url,
): Promise<TestApp> {
  const baseUrl = url.replace(/\/$/, '');
  const { hostname: host, port } = new URL(baseUrl);
  const anonymous = new Client(baseUrl, await Conformance.of(documentedAt.replace(/\/$/, '')));
  const as = async (role: Role): Promise<Client> => logIn(anonymous, await means.user(role));
  const at = { baseUrl, host, port: Number(port) };
  return { ...at, ...means, anonymous, as, stop };
}
