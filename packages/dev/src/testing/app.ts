import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Role } from '@plinth/core';

import { Client } from './client.js';
import { Conformance } from './conformance.js';
import { createDatabase, TestDatabase } from './databases.js';
import { DEFAULTS, Settings, UserColumns } from './settings.js';
import { createUser, Credentials, logIn } from './users.js';

/** An application under test, and its clients. Each response to a client is checked against the OpenAPI document. */
export interface TestApp {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string;
  /** The application itself: `app.nest.get(OrdersService)`. */
  readonly nest: NestFastifyApplication;
  /** A client without credentials. */
  readonly anonymous: Client;
  /**
   * Creates a user with a role, and returns a client with an access token of that user.
   *
   * @param columns columns of this user, in addition to those that `startApp()` received
   * @example const acme = await app.as('viewer', { company_id: 1 });
   */
  as(role: Role, columns?: UserColumns): Promise<Client>;
  /** Creates a user with a role, for tests that log in themselves. `columns` are those of `as()`. */
  user(role: Role, columns?: UserColumns): Promise<Credentials>;
  /** Runs SQL in the database of the application. */
  query: TestDatabase['query'];
  /** Closes the application and drops its database. */
  stop(): Promise<void>;
}

/**
 * Starts an application in this process, on a new database with every migration, and listens on a free port. Rate limits
 * are disabled unless `settings` sets them. With `DOCS: 'false'`, responses are not checked against the document.
 *
 * @param settings environment variables in addition to `DEFAULTS`; `readSettings()` reads them too
 * @param userColumns columns that all users need in addition to e-mail, password and role: `{ team_id: 1 }`
 * @throws ConfigError if a setting is invalid
 * @example
 * let app: TestApp;
 * beforeAll(async () => { app = await startApp(AppModule); });
 * afterAll(() => app.stop());
 */
export async function startApp(
  AppModule: Type,
  settings: Settings = {},
  userColumns: UserColumns = {},
): Promise<TestApp> {
  // Imported only here, because it is most of the code that a test file loads.
  const { accountTable, createApp, readConfig, DatabaseSchema } = await import('@plinth/core/dev');
  const { DataSource } = await import('typeorm');
  const database = await createDatabase();
  const before = { ...process.env };
  let started: NestFastifyApplication | undefined;
  try {
    const env = { ...DEFAULTS, LOG_LEVEL: 'silent', DATABASE_URL: database.url, ...settings };
    const config = readConfig(env, () => DEFAULTS['JWT_SECRET'] as string);
    // Modules may read environment variables while they are created.
    Object.assign(process.env, settings);
    const { nest } = await createApp(AppModule, config, database.url, {
      // Disabled, because the application shares its event loop with the tests and their compiler.
      pressure: { eventLoopDelayMs: Infinity, heapShare: 1 },
      beforeInit: (app) => app.nest.get(DatabaseSchema).migrate(),
    });
    started = nest;
    await nest.listen(0, '127.0.0.1');
    const baseUrl = (await nest.getUrl()).replace(/\/$/, '');
    const anonymous = new Client(baseUrl, config.docs ? await Conformance.of(baseUrl) : undefined);
    const table = accountTable(nest.get(DataSource));
    const user: TestApp['user'] = (role, columns) =>
      createUser(database.query, role, table, { ...userColumns, ...columns });
    return {
      baseUrl,
      nest,
      anonymous,
      as: async (role, columns) => logIn(anonymous, await user(role, columns)),
      user,
      query: database.query,
      stop: async () => {
        await nest.close();
        await database.drop();
      },
    };
  } catch (error) {
    await started?.close();
    await database.drop();
    throw error;
  } finally {
    for (const name of Object.keys(settings)) {
      Reflect.deleteProperty(process.env, name);
      if (name in before) process.env[name] = before[name];
    }
  }
}
