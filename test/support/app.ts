import { Client, Conformance, createUser, Credentials, logIn, type UserColumns } from '@plinth/dev/testing';

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
  /** Creates a user with the given role, and returns a client with the user's access token. */
  as(role: Role): Promise<Client>;
  /** Creates a user with the given role and columns, for tests that log in themselves. */
  user(role: Role, columns?: UserColumns): Promise<Credentials>;
  /** The policies of the service's routes, by `METHOD path`, without the parts that JSON cannot carry. */
  policies(): Promise<Policies>;
  stop(): Promise<void>;
}

/**
 * Returns the service that a test file uses.
 *
 * Without settings, the service has the defaults of `settings.ts` and is shared: other files use it before
 * and after, their rows are in its database, and a file must change only rows that it has created. With
 * settings, even `{}`, the service belongs to the file, with a database of its own. It never runs in this
 * process. If a test inspects the service or its log, use `startInProcess` of `own-app.ts`.
 */
export async function startApp(settings?: Settings): Promise<TestApp> {
  if (settings) return startOn(await createDatabase(), settings);
  const { url, databaseUrl, policies } = await sharedService(DEFAULTS);
  const means = createDatabaseAccess((text, values) => runOnKept(databaseUrl, text, values));
  return connect(url, { policies, ...means });
}

/**
 * Uses the service of `startApp` for the following tests of a file or a `describe`, and stops it after them.
 */
export function useApp(settings?: Settings): TestApp {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(settings);
  });
  afterAll(() => app.stop());
  return createProxy(() => app);
}

/** Uses a client of a new user with the given role for the following tests. */
export function useClient(app: TestApp, role: Role): Client {
  let client: Client;
  beforeAll(async () => {
    client = await app.as(role);
  });
  return createProxy(() => client);
}

/** Stands in for a value that exists only after the hooks have run. */
export const createProxy = <T extends object>(get: () => T): T =>
  new Proxy({} as T, {
    get(_target, name) {
      const value: unknown = Reflect.get(get(), name);
      return typeof value === 'function' ? (value.bind(get()) as unknown) : value;
    },
  });

/** How many services of this file use each database. */
const databaseUses = new Map<TestDatabase, number>();

/**
 * Starts a service of the test file's own on an existing database. The last service that stops drops the
 * database.
 */
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

/**
 * The URL of a service with the same document as all services without modules of a test: building it takes
 * 0.3 s.
 */
export const documented = async (): Promise<string> => (await sharedService(DEFAULTS)).url;

/** The ways in which tests create users and use the database and the service directly. */
export type TestDatabaseAccess = Pick<TestApp, 'query' | 'user' | 'policies'>;

/** Inserts users into the database, which is faster than the API and needs no administrator. */
export const createDatabaseAccess = (query: TestApp['query']): Omit<TestDatabaseAccess, 'policies'> => ({
  query,
  user: (role, columns) => createUser(query, role, undefined, columns),
});

/**
 * Creates clients of a running service. @param documentedAt the URL of a service that has the same document
 */
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
