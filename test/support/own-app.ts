import { pino } from 'pino';

import { AppModule } from '../../src/app.module.js';
import { App, AppOptions, createApp } from '../../packages/core/src/app/app.factory.js';
import { DatabaseSchema } from '../../packages/core/src/database/database-schema.js';
import { readConfig } from '../../packages/core/src/config/read-config.js';
import { connect, documented, createProxy, TestApp, createDatabaseAccess } from './app.js';
import { createDatabase, TestDatabase } from './databases.js';
import { DEFAULTS, NO_PRESSURE, SECRET, Settings, UNDOCUMENTED } from './settings.js';

/** A service in the process of the test. */
export interface BareApp {
  readonly app: App;
  readonly baseUrl: string;
  readonly host: string;
  readonly port: number;
  /** The log lines of the service, parsed. */
  readonly log: readonly Record<string, unknown>[];
  stop(): Promise<void>;
}

/** A service in the process of the test, with clients of it. */
export type OwnApp = TestApp & Pick<BareApp, 'app' | 'log'>;

/**
 * Starts a service in this process, on the database of the setting `DATABASE_URL`, on a given one, or on a
 * new one. `stop()` drops the latter two. Use this for services that refuse even to serve their document.
 */
export async function startBare(
  settings: Settings,
  database?: TestDatabase,
  modules: AppOptions['modules'] = [],
): Promise<BareApp> {
  const own = database ?? (settings['DATABASE_URL'] ? undefined : await createDatabase());
  const url = settings['DATABASE_URL'] ?? own?.url ?? '';
  const log: Record<string, unknown>[] = [];
  const logger = pino({ base: null }, { write: (line: string) => log.push(JSON.parse(line) as never) });
  const defaults = modules.length > 0 ? DEFAULTS : UNDOCUMENTED;
  const config = readConfig({ ...defaults, DATABASE_URL: url, ...settings }, () => SECRET);
  const starting = createApp(AppModule, config, url, {
    logger,
    pressure: NO_PRESSURE,
    modules,
    // Creates the tables of modules. The template has all others.
    beforeInit: ({ nest }) => (modules.length > 0 ? nest.get(DatabaseSchema).migrate() : Promise.resolve()),
  });
  starting.catch(() => own?.drop());
  const app = await starting;
  await app.nest.listen(0, '127.0.0.1');
  const baseUrl = await app.nest.getUrl();
  const stop = async (): Promise<void> => {
    await app.nest.close();
    await own?.drop();
  };
  return { app, baseUrl, host: '127.0.0.1', port: Number(new URL(baseUrl).port), log, stop };
}

/**
 * Starts a service in this process, on a given database or on a new one, which `stop()` drops. Use this for
 * tests that inspect the service or its log, or add modules. Loading the service takes some seconds, so other
 * tests use `startApp`.
 */
export async function startInProcess(
  settings: Settings = {},
  database?: TestDatabase,
  modules: AppOptions['modules'] = [],
): Promise<OwnApp> {
  const own = database ?? (await createDatabase());
  const { app, log, baseUrl, stop } = await startBare(settings, own, modules);
  const { policies } = app.nest.getHttpAdapter().getInstance();
  const means = {
    policies: () => Promise.resolve(Object.fromEntries(policies)),
    ...createDatabaseAccess((text, values) => own.query(text, values)),
  };
  const documentedAt = modules.length > 0 ? baseUrl : await documented();
  return { ...(await connect(baseUrl, means, stop, documentedAt)), app, log };
}

/**
 * Uses the service of `startInProcess` for the following tests of a file or a `describe`, and stops it after
 * them.
 */
export function useInProcess(...args: Parameters<typeof startInProcess>): OwnApp {
  let app: OwnApp;
  beforeAll(async () => {
    app = await startInProcess(...args);
  });
  afterAll(() => app.stop());
  return createProxy(() => app);
}
