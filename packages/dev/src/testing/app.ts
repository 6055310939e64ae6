import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Role } from '@plinth/core';

import { Client } from './client.js';
import { Conformance } from './conformance.js';
import { createDatabase, TestDatabase } from './databases.js';
import { DEFAULTS, Settings, UserColumns } from './settings.js';
import { createUser, Credentials, logIn } from './users.js';

/** An application under test, and clients of it. Each response that a client gets is held to the OpenAPI document. */
export interface TestApp {
  /** `http://127.0.0.1:<port>` */
  readonly baseUrl: string;
  /** The application itself: `app.nest.get(OrdersService)`. */
  readonly nest: NestFastifyApplication;
  /** A client without credentials. */
  readonly anonymous: Client;
  /** A client of a new user of a role, with an access token. */
  as(role: Role): Promise<Client>;
  /** A new user of a role, for tests that log in themselves. */
  user(role: Role): Promise<Credentials>;
  /** Runs SQL in the database of the application. */
  query: TestDatabase['query'];
  /** Closes the application and drops its database. */
  stop(): Promise<void>;
}

/**
 * Starts an application in this process, on a database of its own that has every migration, and listens on a free port.
 * Rate limits are out of the way unless settings set them. With `DOCS: 'false'` responses are held to no document.
 *
 * @param settings environment variables beside `DEFAULTS`, for `readSettings()` too
 * @param userColumns what users need beside e-mail, password and role: `{ team_id: 1 }`
 * @throws ConfigError where a setting is faulty
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
  // Loaded where it is needed: it is most of what a test file loads.
  const { accountTable, createApp, readConfig, DatabaseSchema } = await import('@plinth/core/dev');
  const { DataSource } = await import('typeorm');
  const database = await createDatabase();
  const before = { ...process.env };
  let started: NestFastifyApplication | undefined;
  try {
    const env = { ...DEFAULTS, LOG_LEVEL: 'silent', DATABASE_URL: database.url, ...settings };
    const config = readConfig(env, () => DEFAULTS['JWT_SECRET'] as string);
    // Modules read variables of their own while they are made.
    Object.assign(process.env, settings);
    const { nest } = await createApp(AppModule, config, database.url, {
      // The application shares its event loop with tests and their compiler.
      pressure: { eventLoopDelayMs: Infinity, heapShare: 1 },
      beforeInit: (app) => app.nest.get(DatabaseSchema).migrate(),
    });
    started = nest;
    await nest.listen(0, '127.0.0.1');
    const baseUrl = (await nest.getUrl()).replace(/\/$/, '');
    const anonymous = new Client(baseUrl, config.docs ? await Conformance.of(baseUrl) : undefined);
    const table = accountTable(nest.get(DataSource));
    const user = (role: Role): Promise<Credentials> => createUser(database.query, role, table, userColumns);
    return {
      baseUrl,
      nest,
      anonymous,
      as: async (role) => logIn(anonymous, await user(role)),
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
